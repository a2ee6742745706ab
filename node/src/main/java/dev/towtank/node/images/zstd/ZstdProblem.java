package dev.towtank.node.images.zstd;

import java.io.IOException;

/// What is read is not packed by zstd, or wrongly.
final class ZstdProblem extends IOException {

    private static final long serialVersionUID = 1L;

    ZstdProblem(String message) {
        super("broken zstd data: " + message);
    }
}
