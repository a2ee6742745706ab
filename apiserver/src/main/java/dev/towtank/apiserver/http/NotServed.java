package dev.towtank.apiserver.http;

import dev.towtank.model.StatusError;

/// The refusals for addresses where nothing is.
final class NotServed {

    private NotServed() {}

    static StatusError error() {
        return StatusError.notServed();
    }

    static StatusError page() {
        return StatusError.noPage();
    }

    static StatusError method() {
        return StatusError.notAllowedThere();
    }
}
