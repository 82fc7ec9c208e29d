# The studio in a container: docs/releases.md says how to build and run it.

# The page is built by the program's build, so the builder has Node beside Rust.
FROM node:22.12-bookworm-slim AS node

FROM rust:1.95-slim-bookworm AS build
COPY --from=node /usr/local/bin/node /usr/local/bin/node
COPY --from=node /usr/local/lib/node_modules /usr/local/lib/node_modules
# Any version of make will do.
# hadolint ignore=DL3008
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \
    && apt-get update \
    && apt-get install --yes --no-install-recommends make \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY Cargo.toml Cargo.lock README.md LICENSE-MIT LICENSE-APACHE SECURITY.md ./
COPY .cargo .cargo
COPY crates crates
COPY models models
COPY papers papers
COPY patches patches
COPY web web
COPY xtask xtask
RUN cargo fetch --locked \
    && cargo xtask dist \
    && mkdir /release /data \
    && tar -xzf target/archive/*.tar.gz -C /release --strip-components=1

# Nothing but the release: it is linked with all that it needs.
FROM scratch
COPY --from=build /release /outplay
COPY --from=build --chown=10001:10001 /data /data
USER 10001:10001
ENV OUTPLAY_DATA=/data
VOLUME /data
EXPOSE 7878
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["/outplay/outplay", "--check"]
ENTRYPOINT ["/outplay/outplay"]
# Other machines are served only with a token: docker run --env OUTPLAY_TOKEN … studio --host 0.0.0.0
CMD ["studio"]
