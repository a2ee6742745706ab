package dev.towtank.controllers.pipelines.substitution;

import static dev.towtank.controllers.pipelines.substitution.Fields.each;
import static dev.towtank.controllers.pipelines.substitution.Fields.of;
import static dev.towtank.controllers.pipelines.substitution.Fields.texts;

import dev.towtank.controllers.pipelines.substitution.Fields.Leaf;
import dev.towtank.controllers.pipelines.substitution.Fields.Members;

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
                    each(texts("value")
                            .and(
                                    "valueFrom",
                                    of("secretKeyRef", KEY_REFERENCE).and("configMapKeyRef", KEY_REFERENCE))))
            .and("envFrom", each(texts("prefix").and("configMapRef", NAME).and("secretRef", NAME)))
            .and("volumeMounts", each(texts("name", "mountPath", "subPath")));

    static final Members STEP = CONTAINER
            .and(texts("script", "onError"))
            .and("stdoutConfig", texts("path"))
            .and("stderrConfig", texts("path"))
            .and("when", Leaf.WHEN);

    static final Members SIDECAR = CONTAINER.and("script", Leaf.TEXT);

    private static final Members VOLUME = NAME.and(
                    "configMap", NAME.and("items", each(KEY_TO_PATH)))
            .and("secret", texts("secretName").and("items", each(KEY_TO_PATH)))
            .and("persistentVolumeClaim", texts("claimName"))
            .and(
                    "projected",
                    of(
                            "sources",
                            each(of("configMap", NAME)
                                    .and("secret", NAME)
                                    .and("serviceAccountToken", texts("audience")))))
            .and("csi", of("nodePublishSecretRef", NAME).and("volumeAttributes", Leaf.VALUES));

    static final Members TASK = of("steps", each(STEP.and("params", Leaf.PARAMS)))
            .and("stepTemplate", CONTAINER)
            .and("volumes", each(VOLUME))
            .and("workspaces", each(texts("mountPath")))
            .and("sidecars", each(SIDECAR));

    static final Members WORKSPACE_BINDING = texts("subPath")
            .and("persistentVolumeClaim", texts("claimName"))
            .and("configMap", NAME.and("items", each(KEY_TO_PATH)))
            .and("secret", texts("secretName").and("items", each(KEY_TO_PATH)))
            .and(
                    "projected",
                    of(
                            "sources",
                            each(of("configMap", NAME.and("items", each(KEY_TO_PATH)))
                                    .and("secret", NAME.and("items", each(KEY_TO_PATH))))))
            .and("csi", texts("driver").and("nodePublishSecretRef", NAME));

    private static final Members SELECTOR = of("matchLabels", Leaf.ENTRIES)
            .and("matchExpressions", each(texts("key").and("values", Leaf.TEXTS)));
    private static final Members NODE_TERM = of("matchExpressions", each(texts("key").and("values", Leaf.TEXTS)))
            .and("matchFields", each(texts("key").and("values", Leaf.TEXTS)));
    private static final Members POD_TERM = texts("topologyKey")
            .and("labelSelector", SELECTOR)
            .and("namespaceSelector", SELECTOR)
            .and("namespaces", Leaf.TEXTS);
    private static final Members POD_AFFINITY = of("requiredDuringSchedulingIgnoredDuringExecution", each(POD_TERM))
            .and("preferredDuringSchedulingIgnoredDuringExecution", each(of("podAffinityTerm", POD_TERM)));
    private static final Members NODE_AFFINITY = of(
                    "requiredDuringSchedulingIgnoredDuringExecution", of("nodeSelectorTerms", each(NODE_TERM)))
            .and("preferredDuringSchedulingIgnoredDuringExecution", each(of("preference", NODE_TERM)));
    private static final Members PROFILE = texts("type", "localhostProfile");
    private static final Members POD_SECURITY = texts(
                    "supplementalGroupsPolicy", "fsGroupChangePolicy", "seLinuxChangePolicy")
            .and("seLinuxOptions", texts("user", "role", "type", "level"))
            .and("windowsOptions", texts("gmsaCredentialSpecName", "gmsaCredentialSpec", "runAsUserName"))
            .and("sysctls", each(texts("name", "value")))
            .and("seccompProfile", PROFILE)
            .and("appArmorProfile", PROFILE);

    static final Members POD_TEMPLATE = texts("runtimeClassName", "schedulerName", "priorityClassName", "dnsPolicy")
            .and("nodeSelector", Leaf.ENTRIES)
            .and("tolerations", each(texts("key", "value", "operator", "effect")))
            .and(
                    "affinity",
                    of("nodeAffinity", NODE_AFFINITY)
                            .and("podAffinity", POD_AFFINITY)
                            .and("podAntiAffinity", POD_AFFINITY))
            .and("securityContext", POD_SECURITY)
            .and("imagePullSecrets", each(NAME))
            .and("hostAliases", each(texts("ip").and("hostnames", Leaf.TEXTS)))
            .and("topologySpreadConstraints", each(texts("topologyKey").and("labelSelector", SELECTOR)))
            .and(
                    "dnsConfig",
                    of("nameservers", Leaf.TEXTS)
                            .and("searches", Leaf.TEXTS)
                            .and("options", each(texts("name", "value"))))
            .and("volumes", each(VOLUME))
            .and(
                    "env",
                    each(texts("name", "value")
                            .and(
                                    "valueFrom",
                                    of("configMapKeyRef", KEY_REFERENCE)
                                            .and("secretKeyRef", KEY_REFERENCE)
                                            .and("fieldRef", texts("fieldPath"))
                                            .and("resourceFieldRef", texts("resource", "containerName")))));
}
