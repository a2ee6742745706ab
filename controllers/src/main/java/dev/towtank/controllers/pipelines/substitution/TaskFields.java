package dev.towtank.controllers.pipelines.substitution;

import static dev.towtank.controllers.pipelines.substitution.ReplacedFields.items;
import static dev.towtank.controllers.pipelines.substitution.ReplacedFields.member;
import static dev.towtank.controllers.pipelines.substitution.ReplacedFields.texts;

import dev.towtank.controllers.pipelines.substitution.ReplacedFields.Leaf;
import dev.towtank.controllers.pipelines.substitution.ReplacedFields.Members;

/// Where a task, a workspace binding and a pod template may have variables.
final class TaskFields {

    private TaskFields() {}

    private static final Members NAME = texts("name");
    private static final Members KEY_REFERENCE = texts("name", "key");
    private static final Members KEY_TO_PATH = texts("key", "path");

    private static final Members CONTAINER = texts("name", "image", "imagePullPolicy", "workingDir")
            .and("args", Leaf.EXPANDED)
            .and("command", Leaf.EXPANDED)
            .and(
                    "env",
                    items(texts("value")
                            .and(
                                    "valueFrom",
                                    member("secretKeyRef", KEY_REFERENCE).and("configMapKeyRef", KEY_REFERENCE))))
            .and("envFrom", items(texts("prefix").and("configMapRef", NAME).and("secretRef", NAME)))
            .and("volumeMounts", items(texts("name", "mountPath", "subPath")));

    static final Members STEP = CONTAINER
            .and(texts("script", "onError"))
            .and("stdoutConfig", texts("path"))
            .and("stderrConfig", texts("path"))
            .and("when", Leaf.WHEN);

    static final Members SIDECAR = CONTAINER.and("script", Leaf.TEXT);

    private static final Members VOLUME = NAME.and("configMap", NAME.and("items", items(KEY_TO_PATH)))
            .and("secret", texts("secretName").and("items", items(KEY_TO_PATH)))
            .and("persistentVolumeClaim", texts("claimName"))
            .and(
                    "projected",
                    member(
                            "sources",
                            items(member("configMap", NAME)
                                    .and("secret", NAME)
                                    .and("serviceAccountToken", texts("audience")))))
            .and("csi", member("nodePublishSecretRef", NAME).and("volumeAttributes", Leaf.VALUES));

    static final Members TASK = member("steps", items(STEP.and("params", Leaf.PARAMS)))
            .and("stepTemplate", CONTAINER)
            .and("volumes", items(VOLUME))
            .and("workspaces", items(texts("mountPath")))
            .and("sidecars", items(SIDECAR));

    static final Members WORKSPACE_BINDING = texts("subPath")
            .and("persistentVolumeClaim", texts("claimName"))
            .and("configMap", NAME.and("items", items(KEY_TO_PATH)))
            .and("secret", texts("secretName").and("items", items(KEY_TO_PATH)))
            .and(
                    "projected",
                    member(
                            "sources",
                            items(member("configMap", NAME.and("items", items(KEY_TO_PATH)))
                                    .and("secret", NAME.and("items", items(KEY_TO_PATH))))))
            .and("csi", texts("driver").and("nodePublishSecretRef", NAME));

    private static final Members SELECTOR = member("matchLabels", Leaf.ENTRIES)
            .and("matchExpressions", items(texts("key").and("values", Leaf.TEXTS)));
    private static final Members NODE_TERM = member(
                    "matchExpressions", items(texts("key").and("values", Leaf.TEXTS)))
            .and("matchFields", items(texts("key").and("values", Leaf.TEXTS)));
    private static final Members POD_TERM = texts("topologyKey")
            .and("labelSelector", SELECTOR)
            .and("namespaceSelector", SELECTOR)
            .and("namespaces", Leaf.TEXTS);
    private static final Members POD_AFFINITY = member(
                    "requiredDuringSchedulingIgnoredDuringExecution", items(POD_TERM))
            .and("preferredDuringSchedulingIgnoredDuringExecution", items(member("podAffinityTerm", POD_TERM)));
    private static final Members NODE_AFFINITY = member(
                    "requiredDuringSchedulingIgnoredDuringExecution", member("nodeSelectorTerms", items(NODE_TERM)))
            .and("preferredDuringSchedulingIgnoredDuringExecution", items(member("preference", NODE_TERM)));
    private static final Members PROFILE = texts("type", "localhostProfile");
    private static final Members POD_SECURITY = texts(
                    "supplementalGroupsPolicy", "fsGroupChangePolicy", "seLinuxChangePolicy")
            .and("seLinuxOptions", texts("user", "role", "type", "level"))
            .and("windowsOptions", texts("gmsaCredentialSpecName", "gmsaCredentialSpec", "runAsUserName"))
            .and("sysctls", items(texts("name", "value")))
            .and("seccompProfile", PROFILE)
            .and("appArmorProfile", PROFILE);

    static final Members POD_TEMPLATE = texts("runtimeClassName", "schedulerName", "priorityClassName", "dnsPolicy")
            .and("nodeSelector", Leaf.ENTRIES)
            .and("tolerations", items(texts("key", "value", "operator", "effect")))
            .and(
                    "affinity",
                    member("nodeAffinity", NODE_AFFINITY)
                            .and("podAffinity", POD_AFFINITY)
                            .and("podAntiAffinity", POD_AFFINITY))
            .and("securityContext", POD_SECURITY)
            .and("imagePullSecrets", items(NAME))
            .and("hostAliases", items(texts("ip").and("hostnames", Leaf.TEXTS)))
            .and("topologySpreadConstraints", items(texts("topologyKey").and("labelSelector", SELECTOR)))
            .and(
                    "dnsConfig",
                    member("nameservers", Leaf.TEXTS)
                            .and("searches", Leaf.TEXTS)
                            .and("options", items(texts("name", "value"))))
            .and("volumes", items(VOLUME))
            .and(
                    "env",
                    items(texts("name", "value")
                            .and(
                                    "valueFrom",
                                    member("configMapKeyRef", KEY_REFERENCE)
                                            .and("secretKeyRef", KEY_REFERENCE)
                                            .and("fieldRef", texts("fieldPath"))
                                            .and("resourceFieldRef", texts("resource", "containerName")))));
}
