package dev.towtank.model;

import java.util.List;

/// In which order kinds are made, so that what others need is there first: that of Helm and of Argo CD.
public final class InstallOrder {

    private static final List<String> FIRST = List.of(
            "Namespace",
            "NetworkPolicy",
            "ResourceQuota",
            "LimitRange",
            "PodSecurityPolicy",
            "PodDisruptionBudget",
            "ServiceAccount",
            "Secret",
            "SecretList",
            "ConfigMap",
            "StorageClass",
            "PersistentVolume",
            "PersistentVolumeClaim",
            "CustomResourceDefinition",
            "ClusterRole",
            "ClusterRoleList",
            "ClusterRoleBinding",
            "ClusterRoleBindingList",
            "Role",
            "RoleList",
            "RoleBinding",
            "RoleBindingList",
            "Service",
            "DaemonSet",
            "Pod",
            "ReplicationController",
            "ReplicaSet",
            "Deployment",
            "HorizontalPodAutoscaler",
            "StatefulSet",
            "Job",
            "CronJob",
            "IngressClass",
            "Ingress",
            "APIService");

    /// The rank of every kind that has no place of its own.
    public static final int LAST = FIRST.size();

    private InstallOrder() {}

    public static int rank(String kind) {
        int at = FIRST.indexOf(kind);
        return at < 0 ? LAST : at;
    }
}
