package dev.towtank.model;

/// What is stored and listed: `pods`, `deployments.apps`.
public record GroupResource(String group, String resource) implements Comparable<GroupResource> {

    /// Kubernetes' spelling in messages and in names of CRDs; also the first part of a storage key.
    @Override
    public String toString() {
        return group.isEmpty() ? resource : resource + "." + group;
    }

    public static GroupResource parse(String text) {
        int dot = text.indexOf('.');
        return dot < 0
                ? new GroupResource("", text)
                : new GroupResource(text.substring(dot + 1), text.substring(0, dot));
    }

    @Override
    public int compareTo(GroupResource other) {
        return toString().compareTo(other.toString());
    }
}
