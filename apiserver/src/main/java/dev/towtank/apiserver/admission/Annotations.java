package dev.towtank.apiserver.admission;

/// Takes what rules want to have written down about a request, for whoever audits the server.
@FunctionalInterface
public interface Annotations {

    Annotations NONE = (_, _, _) -> {};

    /// @param key such as `pods.example.com/reason`
    void add(Review review, String key, String value);
}
