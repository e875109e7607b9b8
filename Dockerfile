# The image of Escucho: the built product without a distribution around it, for PostgreSQL elsewhere (DATABASE_URL).
# docs/operations.md describes how to run it.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY . .
# The secret is an .npmrc, for registries other than the public one.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc node scripts/build.mjs
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc \
    rm -rf node_modules */*/node_modules \
    && npm install --no-save --omit=dev --no-audit --no-fund --workspace apps/server --include-workspace-root \
    && node deploy/image/copy-product.mjs /product

# Debian's ffmpeg with only what an import uses: the arguments and formats of services/portal/src/import/audio.ts.
FROM ${NODE_IMAGE} AS ffmpeg
RUN sed -i 's/^Types: deb$/Types: deb deb-src/' /etc/apt/sources.list.d/debian.sources && apt-get update \
    && apt-get install --yes --no-install-recommends dpkg-dev gcc libc6-dev libmp3lame-dev make nasm \
    && rm /usr/lib/*/libmp3lame.so
WORKDIR /build
RUN apt-get source ffmpeg && cd ffmpeg-*/ \
    && ./configure --disable-everything --disable-autodetect --disable-network --disable-doc --disable-debug \
       --disable-ffplay --disable-ffprobe --enable-libmp3lame \
       --extra-cflags="$(dpkg-buildflags --get CPPFLAGS) -fstack-protector-strong" \
       --extra-ldflags="$(dpkg-buildflags --get LDFLAGS) -Wl,-z,now" \
       --enable-protocol=file --enable-indev=lavfi --enable-muxer=mp3,null \
       --enable-demuxer=mov,ogg,flac,wav,aiff,matroska,aac,mp3 \
       --enable-parser=aac,flac,mpegaudio,opus,vorbis \
       --enable-decoder='aac,ac3,adpcm_ima_qt,adpcm_ima_wav,adpcm_ms,alac,flac,mp1*,mp2*,mp3*,opus,pcm_*,speex,vorbis' \
       --enable-encoder='libmp3lame,pcm_s16*' \
       --enable-filter=aformat,anullsink,anullsrc,aresample,asetpts,asplit,atrim,ebur128,silencedetect \
    && make -j"$(nproc)" ffmpeg && install --strip ffmpeg /usr/local/bin/ffmpeg

# The root of the image: the two programs, the libraries they and the product load, and accounts. /var/lib/dpkg tells scanners
# of vulnerabilities which packages of Debian the libraries are from.
FROM ffmpeg AS root
COPY --from=build /product/node_modules/@img /img
WORKDIR /root-of-image
RUN install -D --strip --target-directory=usr/local/bin /usr/local/bin/node /usr/local/bin/ffmpeg \
    && ldd usr/local/bin/* $(find /img -name '*.node') | grep -oE '\s/(usr/)?lib(64)?/\S+' | sort -u \
       | xargs cp --dereference --parents --target-directory=. \
    && mkdir -p etc var/lib/dpkg/status.d ../writable \
    && for package in libc6 libgcc-s1 libstdc++6; do dpkg-query --status $package > var/lib/dpkg/status.d/$package; done \
    && cp /etc/os-release etc/ \
    && echo 'hosts: files dns' > etc/nsswitch.conf \
    && printf '%s\n' 'root:x:0:0::/:/nologin' 'escucho:x:10001:10001::/data:/nologin' > etc/passwd \
    && printf '%s\n' 'root:x:0:' 'escucho:x:10001:' > etc/group \
    && install --directory --mode=1777 tmp && install --directory --mode=0700 /writable/data

FROM scratch
ARG VERSION=unknown
LABEL org.opencontainers.image.title="Escucho" \
      org.opencontainers.image.description="A web portal where people learn a language by listening." \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.licenses="UNLICENSED"
COPY --from=root /root-of-image/ /
COPY --from=root --chown=10001:10001 /writable/ /
WORKDIR /app
COPY --from=build /product/content/ content/
COPY --from=build /product/node_modules/ node_modules/
COPY --from=build /product/packages/ packages/
COPY --from=build /product/services/ services/
COPY --from=build /product/apps/ apps/
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
ENV PATH=/usr/local/bin
USER 10001:10001
VOLUME /data
EXPOSE 3000
# Alive, not ready: a process whose database is away must not be restarted.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/server/dist/main.js"]
