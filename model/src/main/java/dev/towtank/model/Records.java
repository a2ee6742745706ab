package dev.towtank.model;

/// JSON trees to records and back.
public final class Records {

    private Records() {}

    public static <T> T read(Class<T> type, Json.Obj json) {
        if (type == Json.Obj.class) {
            return type.cast(json);
        }
        throw new IllegalArgumentException("not a record: " + type);
    }
}
