package dev.towtank.model.template;

/// An integer of another Go type than `int`. Go keeps them apart: `repeat (add 1 2) "x"` is an error there, because
/// `add` gives an
/// int64 and `repeat` wants an int.
public record SizedInteger(Size size, long value) {
    public enum Size {
        INT64("int64", "int64"),
        INT32("int32", "int32"),
        UINT("uint", "uint"),
        UINT8("uint8", "uint8"),
        UINT32("uint32", "uint32"),
        UINT64("uint64", "uint64"),
        DURATION("time.Duration", "int64"),
        MONTH("time.Month", "int"),
        WEEKDAY("time.Weekday", "int");

        private final String type;
        private final String kind;

        Size(String type, String kind) {
            this.type = type;
            this.kind = kind;
        }

        public String type() {
            return type;
        }

        public String kind() {
            return kind;
        }

        public boolean isUnsigned() {
            return kind.startsWith("u");
        }
    }

    public static SizedInteger int64(long value) {
        return new SizedInteger(Size.INT64, value);
    }

    public static SizedInteger uint8(int value) {
        return new SizedInteger(Size.UINT8, value);
    }
}
