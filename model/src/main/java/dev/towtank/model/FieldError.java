package dev.towtank.model;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One thing wrong with one field, in the words of Kubernetes: `spec.replicas: Invalid value: -1: must be …`.
///
/// @param value what stood there, or null where a message shows no value (required, forbidden, conditions)
public record FieldError(Type type, String path, @Nullable Json value, String detail) {

    private static final int MOST_SHOWN = 1024;
    private static final int LONGEST_PATH = 2048;
    private static final int LONGEST_DETAIL = 8192;

    /// A key may be as long as a request, and be in the path of all that is wrong below it.
    public FieldError {
        path = beginning(path, LONGEST_PATH);
        detail = beginning(detail, LONGEST_DETAIL);
    }

    private static String beginning(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most) + "...";
    }

    /// The wire name is the machine-readable `reason` of a cause; the words begin the message.
    public enum Type {
        REQUIRED("FieldValueRequired", "Required value"),
        INVALID("FieldValueInvalid", "Invalid value"),
        NOT_SUPPORTED("FieldValueNotSupported", "Unsupported value"),
        DUPLICATE("FieldValueDuplicate", "Duplicate value"),
        FORBIDDEN("FieldValueForbidden", "Forbidden"),
        NOT_FOUND("FieldValueNotFound", "Not found"),
        TOO_LONG("FieldValueTooLong", "Too long"),
        TOO_MANY("FieldValueTooMany", "Too many"),
        TYPE_INVALID("FieldValueTypeInvalid", "Invalid value"),
        INTERNAL("InternalError", "Internal error");

        private final String reason;
        private final String words;

        Type(String reason, String words) {
            this.reason = reason;
            this.words = words;
        }

        public String reason() {
            return reason;
        }
    }

    /// Without the path, as it stands in a cause of a Status.
    public String body() {
        var words = switch (type) {
            case REQUIRED, FORBIDDEN, TOO_LONG, INTERNAL -> type.words;
            case INVALID, NOT_SUPPORTED, DUPLICATE, NOT_FOUND, TOO_MANY, TYPE_INVALID ->
                value == null ? type.words : type.words + ": " + shown(value);
        };
        return detail.isEmpty() ? words : words + ": " + detail;
    }

    /// Who sent a value knows it: its beginning tells which one is meant.
    private static String shown(Json value) {
        var text = value instanceof Json.Str(var whole) && whole.length() > MOST_SHOWN
                ? Json.of(whole.substring(0, MOST_SHOWN)) + "..."
                : value.toString();
        return text.length() > MOST_SHOWN + 100 ? beginning(text, MOST_SHOWN) : text;
    }

    public String message() {
        return path.isEmpty() ? "<nil>: " + body() : path + ": " + body();
    }

    /// Collects errors while a validation walks an object; the first thousand, as nobody reads more.
    public static final class Collector {
        private static final int MOST = 1000;

        private final List<FieldError> errors = new ArrayList<>();

        public void required(Path path, String detail) {
            add(new FieldError(Type.REQUIRED, path.text(), null, detail));
        }

        public void invalid(Path path, Json value, String detail) {
            add(new FieldError(Type.INVALID, path.text(), value, detail));
        }

        public void invalid(Path path, String value, String detail) {
            invalid(path, Json.of(value), detail);
        }

        /// The supported values are shown in the order given.
        public void notSupported(Path path, Json value, List<String> supported) {
            var quoted = supported.stream()
                    .map(each -> '"' + each + '"')
                    .reduce((a, b) -> a + ", " + b)
                    .orElse("");
            add(new FieldError(Type.NOT_SUPPORTED, path.text(), value, "supported values: " + quoted));
        }

        public void duplicate(Path path, Json value) {
            add(new FieldError(Type.DUPLICATE, path.text(), value, ""));
        }

        public void forbidden(Path path, String detail) {
            add(new FieldError(Type.FORBIDDEN, path.text(), null, detail));
        }

        public void notFound(Path path, Json value) {
            add(new FieldError(Type.NOT_FOUND, path.text(), value, ""));
        }

        public void tooLong(Path path, int bytes) {
            add(new FieldError(
                    Type.TOO_LONG,
                    path.text(),
                    null,
                    "may not be more than " + bytes + (bytes == 1 ? " byte" : " bytes")));
        }

        public void tooMany(Path path, int actual, int maximum) {
            add(new FieldError(
                    Type.TOO_MANY,
                    path.text(),
                    Json.of(actual),
                    "must have at most " + maximum + (maximum == 1 ? " item" : " items")));
        }

        public void add(FieldError error) {
            if (errors.size() < MOST) {
                errors.add(error);
            }
        }

        public boolean isEmpty() {
            return errors.isEmpty();
        }

        public List<FieldError> errors() {
            return List.copyOf(errors);
        }
    }
}
