package dev.towtank.model.kustomize;

import dev.towtank.model.Json;
import java.util.Set;

/// What tells one object from another.
record Id(String group, String version, String kind, String namespace, String name) {

    private static final Set<String> CLUSTER_SCOPED = Set.of(
            "APIService",
            "CSIDriver",
            "CSINode",
            "CertificateSigningRequest",
            "Cluster",
            "ClusterRole",
            "ClusterRoleBinding",
            "ComponentStatus",
            "CustomResourceDefinition",
            "FlowSchema",
            "IngressClass",
            "MutatingAdmissionPolicy",
            "MutatingAdmissionPolicyBinding",
            "MutatingWebhookConfiguration",
            "Namespace",
            "Node",
            "PersistentVolume",
            "PodSecurityPolicy",
            "PriorityClass",
            "PriorityLevelConfiguration",
            "RuntimeClass",
            "SelfSubjectAccessReview",
            "StorageClass",
            "SubjectAccessReview",
            "TokenReview",
            "ValidatingAdmissionPolicy",
            "ValidatingAdmissionPolicyBinding",
            "ValidatingWebhookConfiguration",
            "VolumeAttachment");

    static Id of(Json.Obj object) {
        var apiVersion = object.string("apiVersion");
        int slash = apiVersion.indexOf('/');
        return new Id(
                slash < 0 ? "" : apiVersion.substring(0, slash),
                apiVersion.substring(slash + 1),
                object.string("kind"),
                object.string("metadata", "namespace"),
                object.string("metadata", "name"));
    }

    boolean isClusterScoped() {
        return CLUSTER_SCOPED.contains(kind)
                && (group.isEmpty() || group.endsWith(".k8s.io") || group.equals("policy"));
    }

    /// No namespace and `default` are the same place.
    String place() {
        return isClusterScoped() ? "" : namespace.isEmpty() ? "default" : namespace;
    }

    boolean isSame(Id other) {
        return isSameKind(other) && name.equals(other.name) && place().equals(other.place());
    }

    /// Equal for the same object.
    Id unique() {
        return new Id(group, version, kind, place(), name);
    }

    boolean isSameKind(Id other) {
        return group.equals(other.group) && version.equals(other.version) && kind.equals(other.kind);
    }

    @Override
    public String toString() {
        return kind + "." + version + (group.isEmpty() ? ".[noGrp]" : "." + group) + "/"
                + (name.isEmpty() ? "[noName]" : name) + "." + (namespace.isEmpty() ? "[noNs]" : namespace);
    }
}
