package dev.towtank.model.cel;

/// What a user may do; expressions ask it as `authorizer`.
public interface Authority {

    /// What is asked about; empty parts mean all, or none where there is none.
    record Resource(String group, String resource, String subresource, String namespace, String name) {}

    /// @param reason why, for people
    /// @param error what kept the question from being answered, or empty
    record Decision(boolean allowed, String reason, String error) {}

    Decision onResource(String verb, Resource resource);

    Decision onPath(String verb, String path);

    /// The same questions about a service account.
    Authority serviceAccount(String namespace, String name);
}
