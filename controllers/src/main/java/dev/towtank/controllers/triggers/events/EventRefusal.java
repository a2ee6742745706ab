package dev.towtank.controllers.triggers.events;

/// Why a trigger does nothing with an event.
public final class EventRefusal extends Exception {

    private static final long serialVersionUID = 1;

    private final Code code;

    /// As gRPC numbers them, which is how interceptors answer.
    public enum Code {
        UNKNOWN(2),
        INVALID_ARGUMENT(3),
        NOT_FOUND(5),
        PERMISSION_DENIED(7),
        FAILED_PRECONDITION(9),
        INTERNAL(13),
        UNAVAILABLE(14);

        private final int number;

        Code(int number) {
            this.number = number;
        }

        public int number() {
            return number;
        }

        static Code of(long number) {
            for (var code : values()) {
                if (code.number == number) {
                    return code;
                }
            }
            return UNKNOWN;
        }
    }

    public EventRefusal(Code code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    public Code code() {
        return code;
    }

    public String text() {
        return String.valueOf(getMessage());
    }
}
