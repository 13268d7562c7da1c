# One image for servers and workers. The token is required because the server listens on all interfaces:
#   docker run -p 3000:3000 -v knowledge:/data -e KNOWLEDGE_TOKEN=… knowledge-server
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN node scripts/prepare.ts && npm pack --ignore-scripts && mkdir /app && tar -xzf knowledge-server-*.tgz -C /app --strip-components=1
WORKDIR /app
RUN cp /build/package-lock.json /build/.npmrc . && npm ci --omit=dev --ignore-scripts && rm -rf /root/.npm

FROM node:24-bookworm-slim
ENV NODE_ENV=production KNOWLEDGE_DATA_DIR=/data
COPY --from=build --chown=root:root /app /app
RUN mkdir /data && chown node:node /data && ln -s /app/bin/knowledge-server.js /usr/local/bin/knowledge-server
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3000/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["knowledge-server"]
CMD ["http", "--host", "0.0.0.0", "--port", "3000"]
