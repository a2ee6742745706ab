package dev.towtank.controllers.buckets.source;

import dev.towtank.controllers.buckets.s3.S3Refusal;
import java.io.IOException;

/// Carries a refusal out of a stream, which can only throw an [IOException].
final class RefusedBody extends IOException {
    private static final long serialVersionUID = 1;

    private final S3Refusal refusal;

    RefusedBody(S3Refusal refusal) {
        super(refusal.getMessage(), refusal);
        this.refusal = refusal;
    }

    RefusedBody(int status, String code, String message) {
        this(new S3Refusal(status, code, message));
    }

    S3Refusal refusal() {
        return refusal;
    }
}
