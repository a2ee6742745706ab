package dev.towtank.node.pods;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.node.volumes.NodeValues;
import dev.towtank.node.volumes.PodFields;
import dev.towtank.node.volumes.ResourceFields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The environment variables of a container, and what they are put into.
final class Environment {

    /// Where values come from.
    interface Sources {

        Optional<Json.Obj> configMap(String name);

        /// With its values still in base64.
        Optional<Json.Obj> secret(String name);
    }

    private final Resource pod;
    private final Json.Obj container;
    private final Sources sources;
    private final Map<String, String> services;
    private final NodeValues node;
    private final Expansion expansion;
    private final Map<String, String> result = new LinkedHashMap<>();

    private Environment(
            Resource pod,
            Json.Obj container,
            Sources sources,
            Map<String, String> services,
            NodeValues node,
            Expansion expansion) {
        this.expansion = expansion;
        this.pod = pod;
        this.container = container;
        this.sources = sources;
        this.services = services;
        this.node = node;
    }

    /// @param services the variables that tell where services are
    /// @param node what the node knows better than the object
    /// @param expansion bounds how long all of it may become
    /// @throws ConfigProblem with the kubelet's text, when something it refers to is missing
    static Map<String, String> of(
            Resource pod,
            Json.Obj container,
            Sources sources,
            Map<String, String> services,
            NodeValues node,
            Expansion expansion) {
        var environment = new Environment(pod, container, sources, services, node, expansion);
        container.objects("envFrom").forEach(environment::addAll);
        container.objects("env").forEach(environment::add);
        var all = new LinkedHashMap<>(services);
        all.putAll(environment.result);
        return all;
    }

    /// Command or arguments with their variables replaced.
    static List<String> expand(List<String> words, Map<String, String> environment, Expansion expansion) {
        return words.stream()
                .map(word -> expansion.expand(word, environment::get))
                .toList();
    }

    private void addAll(Json.Obj from) {
        var prefix = from.string("prefix");
        if (from.get("configMapRef") instanceof Json.Obj reference) {
            configMap(reference)
                    .ifPresent(map -> map.stringMap("data").forEach((key, value) -> put(prefix + key, value)));
        } else if (from.get("secretRef") instanceof Json.Obj reference) {
            secret(reference)
                    .ifPresent(secret ->
                            secret.stringMap("data").forEach((key, value) -> put(prefix + key, Secrets.text(value))));
        }
    }

    private void add(Json.Obj variable) {
        var name = variable.string("name");
        var literal = variable.string("value");
        if (!literal.isEmpty()) {
            set(name, expansion.expand(literal, this::lookUp));
        } else if (variable.get("valueFrom") instanceof Json.Obj source) {
            value(source).ifPresent(value -> put(name, value));
        } else {
            put(name, "");
        }
    }

    private @Nullable String lookUp(String name) {
        var own = result.get(name);
        return own == null ? services.get(name) : own;
    }

    private void put(String name, String value) {
        expansion.take(value.length());
        set(name, value);
    }

    private void set(String name, String value) {
        expansion.take(name.length());
        if (value.indexOf('\0') >= 0) {
            throw new ConfigProblem("environment variable " + name + " contains a NUL byte");
        }
        result.put(name, value);
    }

    private Optional<String> value(Json.Obj source) {
        if (source.get("fieldRef") instanceof Json.Obj reference) {
            return Optional.of(problemsOf(() -> PodFields.value(pod, reference.string("fieldPath"), node)));
        }
        if (source.get("resourceFieldRef") instanceof Json.Obj reference) {
            return Optional.of(problemsOf(() -> ResourceFields.value(pod, container, reference, node)));
        }
        if (source.get("configMapKeyRef") instanceof Json.Obj reference) {
            return key(reference, configMap(reference), "ConfigMap", text -> text);
        }
        if (source.get("secretKeyRef") instanceof Json.Obj reference) {
            return key(reference, secret(reference), "Secret", Secrets::text);
        }
        throw new ConfigProblem("this node does not support the source of an environment variable: " + source.keys());
    }

    private interface Reading {
        String read();
    }

    private static String problemsOf(Reading reading) {
        try {
            return reading.read();
        } catch (IllegalArgumentException e) {
            throw new ConfigProblem(String.valueOf(e.getMessage()));
        }
    }

    private Optional<String> key(
            Json.Obj reference, Optional<Json.Obj> object, String kind, UnaryOperator<String> decode) {
        if (object.isEmpty()) {
            return Optional.empty();
        }
        var key = reference.string("key");
        if (object.get().at("data", key) instanceof Json.Str(var value)) {
            return Optional.of(decode.apply(value));
        }
        if (reference.flag("optional")) {
            return Optional.empty();
        }
        throw new ConfigProblem(
                "couldn't find key " + key + " in " + kind + " " + pod.namespace() + "/" + reference.string("name"));
    }

    private Optional<Json.Obj> configMap(Json.Obj reference) {
        return required(reference, sources.configMap(reference.string("name")), "configmap");
    }

    private Optional<Json.Obj> secret(Json.Obj reference) {
        return required(reference, sources.secret(reference.string("name")), "secret");
    }

    private static Optional<Json.Obj> required(Json.Obj reference, Optional<Json.Obj> found, String resource) {
        if (found.isEmpty() && !reference.flag("optional")) {
            throw new ConfigProblem(resource + " \"" + reference.string("name") + "\" not found");
        }
        return found;
    }
}
