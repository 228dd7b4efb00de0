# vibe in a container, as a user without rights, on the folder that is mounted at /work.
#
# Not tried as a whole: no container runs where this was written. Its commands were, one by one, on Debian.
#
#   docker build -t vibe .
#   docker run --rm -v "$PWD:/work" --user "$(id -u):$(id -g)" vibe index .
#   docker run --rm -it -v "$PWD:/work" -v vibe-home:/home/vibe -e GOOGLE_API_KEY vibe chat
#
# --user makes what is written to the folder yours. The volume keeps conversations and settings.

FROM node:24-alpine AS build
WORKDIR /vibe
COPY package.json package-lock.json ./
COPY tools/node tools/node
COPY tools/site tools/site
# The scripts of packages are not needed, and `prepare` would build without the sources.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# Not by `npm run`, which would put the Node that the checkout brings first: it is not made for Alpine.
RUN node tools/build.ts --release \
  && npm prune --omit=dev --omit=peer --ignore-scripts --no-audit --no-fund \
  && rm -rf dist/lib dist/man dist/completions dist/.inputs \
  && find node_modules -type f ! -iname '*licen[cs]e*' \( -name '*.map' -o -name '*.?ts' -o -name '*.ts' -o -name '*.md' \) -delete

FROM node:24-alpine
# For `vibe check`, `diff` and what reads the history.
RUN apk add --no-cache git \
  # Any user may have its home here: that of --user has none.
  && mkdir -m 1777 /home/vibe \
  && printf '#!/bin/sh\nexec node /opt/vibe/dist/bin.js "$@"\n' > /usr/local/bin/vibe \
  && chmod 755 /usr/local/bin/vibe
COPY --from=build /vibe/package.json /vibe/LICENSE /opt/vibe/
COPY --from=build /vibe/dist /opt/vibe/dist
COPY --from=build /vibe/node_modules /opt/vibe/node_modules
ENV HOME=/home/vibe
USER node
WORKDIR /work
ENTRYPOINT ["node", "/opt/vibe/dist/bin.js"]
CMD ["--help"]
