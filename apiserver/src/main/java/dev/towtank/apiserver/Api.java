package dev.towtank.apiserver;

/// The single path to state: authorization, admission, validation, storage.
///
/// Callers inside the process skip HTTP and text, never rules.
@FunctionalInterface
public interface Api {

    /// @throws dev.towtank.model.StatusError when the request is refused
    Answer handle(Call call);
}
