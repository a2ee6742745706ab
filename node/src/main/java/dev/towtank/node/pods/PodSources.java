package dev.towtank.node.pods;

import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.util.HashSet;
import java.util.Set;

/// The ConfigMaps and Secrets that a pod refers to.
final class PodSources {

    private PodSources() {}

    static String key(String kind, LogicalCluster cluster, String namespace, String name) {
        return kind + "/" + cluster.id() + "/" + namespace + "/" + name;
    }

    static Set<String> of(Resource pod) {
        var sources = new HashSet<String>();
        for (var volume : pod.spec().objects("volumes")) {
            add(sources, pod, "configmaps", volume.string("configMap", "name"));
            add(sources, pod, "secrets", volume.string("secret", "secretName"));
            for (var source : volume.objects("projected", "sources")) {
                add(sources, pod, "configmaps", source.string("configMap", "name"));
                add(sources, pod, "secrets", source.string("secret", "name"));
            }
        }
        Containers.all(pod).forEach(container -> addEnvironment(sources, pod, container));
        return sources;
    }

    private static void addEnvironment(Set<String> sources, Resource pod, Json.Obj container) {
        for (var from : container.objects("envFrom")) {
            add(sources, pod, "configmaps", from.string("configMapRef", "name"));
            add(sources, pod, "secrets", from.string("secretRef", "name"));
        }
        for (var variable : container.objects("env")) {
            add(sources, pod, "configmaps", variable.string("valueFrom", "configMapKeyRef", "name"));
            add(sources, pod, "secrets", variable.string("valueFrom", "secretKeyRef", "name"));
        }
    }

    private static void add(Set<String> sources, Resource pod, String kind, String name) {
        if (!name.isEmpty()) {
            sources.add(key(kind, pod.cluster(), pod.namespace(), name));
        }
    }
}
