# One image for servers and workers. The token is required because the server listens on all interfaces:
#   docker run -p 3000:3000 -v knowledge:/data -e KNOWLEDGE_TOKEN=… knowledge-server
# The package has everything inside, so the last stage needs nothing but Node: no npm, no shell.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN node scripts/prepare.ts && npm pack --silent && mkdir /app /data && tar -xzf knowledge-server-*.tgz -C /app --strip-components=1

FROM gcr.io/distroless/nodejs24-debian12:nonroot
ENV NODE_ENV=production KNOWLEDGE_DATA_DIR=/data
COPY --from=build --chown=root:root /app /app
COPY --from=build --chown=nonroot:nonroot /data /data
USER nonroot
WORKDIR /data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["/nodejs/bin/node", "-e", "fetch('http://127.0.0.1:3000/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/nodejs/bin/node", "/app/bin/knowledge-server.js"]
CMD ["http", "--host", "0.0.0.0", "--port", "3000"]
