package dev.towtank.archive.api;

/// Who may do what: decided by whoever decides it for Kubernetes.
@FunctionalInterface
public interface Permissions {

    /// @param resource of the group `results.tekton.dev`: results, records or logs
    /// @param namespace empty for all of them
    boolean may(Request.Caller caller, String verb, String resource, String namespace);
}
