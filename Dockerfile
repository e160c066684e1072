# The `freehold` command on a Debian with nothing else in it. It needs DATABASE_URL and FREEHOLD_ENCRYPTION_KEY, writes
# nowhere but to /tmp, where a worker fetches the files of sources, and runs as nobody in particular, so its root file system may
# be read-only: see deploy/compose.yaml.
#
#     docker build --tag freehold .
#     docker run --read-only --volume freehold-fetched:/tmp --env-file freehold.env --publish 8080:8080 freehold
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim
ARG BASE_IMAGE=docker.io/library/debian:bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /source
COPY . .
RUN npx -y pnpm@12 install --frozen-lockfile --ignore-scripts \
  && node scripts/pack-command.ts /packed \
  && npm install --omit=optional --prefix /installed /packed/freehold-*.tgz

FROM ${BASE_IMAGE}
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /installed/node_modules/freehold /opt/freehold
WORKDIR /opt/freehold
ENV HOST=0.0.0.0 PORT=8080
EXPOSE 8080
USER 10001:10001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "bin/health.mjs"]
ENTRYPOINT ["node", "bin/freehold.cjs"]
CMD ["serve"]
