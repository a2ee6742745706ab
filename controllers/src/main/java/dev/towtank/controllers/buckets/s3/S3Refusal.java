package dev.towtank.controllers.buckets.s3;

import dev.towtank.cluster.web.WebResponse;
import java.nio.charset.StandardCharsets;

/// An answer that is no success, in the words that S3's clients know.
public final class S3Refusal extends Exception {
    private static final long serialVersionUID = 1;

    private final int status;
    private final String code;

    public S3Refusal(int status, String code, String message) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
    }

    public static S3Refusal denied(String why) {
        return new S3Refusal(403, "AccessDenied", why);
    }

    public static S3Refusal invalid(String why) {
        return new S3Refusal(400, "InvalidArgument", why);
    }

    public static S3Refusal notImplemented(String what) {
        return new S3Refusal(501, "NotImplemented", what + " is not implemented here");
    }

    public static S3Refusal noSuchBucket() {
        return new S3Refusal(404, "NoSuchBucket", "The specified bucket does not exist");
    }

    public static S3Refusal noSuchKey() {
        return new S3Refusal(404, "NoSuchKey", "The specified key does not exist.");
    }

    public static S3Refusal preconditionFailed() {
        return new S3Refusal(
                412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold");
    }

    public static S3Refusal malformed(String why) {
        return new S3Refusal(
                400,
                "MalformedXML",
                "The XML you provided was not well-formed or is not what is expected here: " + why);
    }

    public int status() {
        return status;
    }

    public String code() {
        return code;
    }

    /// @param resource the path that was asked for
    public WebResponse response(String resource) {
        if (status == 304) {
            return WebResponse.empty(status);
        }
        var xml = new XmlText("Error", "")
                .text("Code", code)
                .text("Message", String.valueOf(getMessage()))
                .text("Resource", resource)
                .done();
        return WebResponse.of(status, "application/xml", xml.getBytes(StandardCharsets.UTF_8));
    }
}
