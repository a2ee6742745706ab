package dev.towtank.apiserver.http;

import dev.towtank.model.StatusError;
import dev.towtank.model.StatusError.Reason;

/// The refusals for addresses where nothing is.
final class NotServed {

    private NotServed() {}

    static StatusError error() {
        return new StatusError(Reason.NOT_FOUND, "the server could not find the requested resource");
    }

    static StatusError method() {
        return new StatusError(
                Reason.METHOD_NOT_ALLOWED, "the server does not allow this method on the requested resource");
    }
}
