package dev.towtank.archive;

import dev.towtank.model.Json;

/// Why a request to the archive was not answered, with the codes that gRPC and its REST gateways use.
public final class ArchiveRefusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// @see <a href="https://grpc.io/docs/guides/status-codes/">gRPC's codes</a>
    public enum Code {
        INVALID_ARGUMENT(3, 400),
        NOT_FOUND(5, 404),
        ALREADY_EXISTS(6, 409),
        FAILED_PRECONDITION(9, 400),
        UNIMPLEMENTED(12, 501),
        INTERNAL(13, 500),
        UNAVAILABLE(14, 503),
        UNAUTHENTICATED(16, 401);

        private final int number;
        private final int http;

        Code(int number, int http) {
            this.number = number;
            this.http = http;
        }

        public int number() {
            return number;
        }

        /// The status that a REST gateway answers with.
        public int http() {
            return http;
        }
    }

    private final Code code;

    public ArchiveRefusal(Code code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    public static ArchiveRefusal invalid(String message) {
        return new ArchiveRefusal(Code.INVALID_ARGUMENT, message);
    }

    public static ArchiveRefusal notFound() {
        return new ArchiveRefusal(Code.NOT_FOUND, "record not found");
    }

    public Code code() {
        return code;
    }

    public String text() {
        return String.valueOf(getMessage());
    }

    /// As a `google.rpc.Status`.
    public Json.Obj json() {
        return Json.Obj.of("code", Json.of(code.number()), "message", Json.of(text()), "details", Json.Arr.EMPTY);
    }
}
