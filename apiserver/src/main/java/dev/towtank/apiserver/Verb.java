package dev.towtank.apiserver;

import java.util.Locale;

/// What a request does, in the words of RBAC.
public enum Verb {
    GET,
    LIST,
    WATCH,
    CREATE,
    UPDATE,
    PATCH,
    DELETE,
    DELETECOLLECTION;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    public boolean isReadOnly() {
        return this == GET || this == LIST || this == WATCH;
    }
}
