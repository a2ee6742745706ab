package dev.towtank.model.kinds.admissionregistration;

import dev.towtank.model.cel.Expressions;
import dev.towtank.model.cel.Shape;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What expressions about a request may name: the object, the request itself, its namespace, parameters and rights.
public final class AdmissionScopes {

    public static final String OBJECT = "object";
    public static final String OLD_OBJECT = "oldObject";
    public static final String REQUEST = "request";
    public static final String NAMESPACE = "namespaceObject";
    public static final String PARAMS = "params";

    public static final List<String> BOOL = List.of("bool");
    public static final List<String> TEXT = List.of("string");
    public static final List<String> TEXT_OR_NULL = List.of("string", "null_type");

    private static final Shape TEXTS = new Shape.ListOf(Shape.Scalar.STRING);

    private AdmissionScopes() {}

    /// Compilers are expensive, and these are the same for all.
    private static final class Shared {
        static final Expressions.Scope PLAIN = Expressions.kubernetes().scope(variables(false));
        static final Expressions.Scope WITH_PARAMS = Expressions.kubernetes().scope(variables(true));
    }

    /// For conditions that decide whether a webhook or policy is asked.
    public static Expressions.Scope plain(boolean params) {
        return params ? Shared.WITH_PARAMS : Shared.PLAIN;
    }

    /// For one policy with variables.
    public static Expressions.Scope composed(boolean params) {
        return Expressions.kubernetes().composedScope(variables(params));
    }

    static Map<String, Shape> variables(boolean params) {
        var variables = new HashMap<String, Shape>();
        variables.put(OBJECT, Shape.Scalar.ANY);
        variables.put(OLD_OBJECT, Shape.Scalar.ANY);
        variables.put(REQUEST, request());
        variables.put(NAMESPACE, namespace());
        variables.put("authorizer", Shape.Handle.AUTHORIZER);
        variables.put("authorizer.requestResource", Shape.Handle.RESOURCE_CHECK);
        if (params) {
            variables.put(PARAMS, Shape.Scalar.ANY);
        }
        return variables;
    }

    private static Shape request() {
        var kind = texts("kubernetes.GroupVersionKind", "group", "version", "kind");
        var resource = texts("kubernetes.GroupVersionResource", "group", "version", "resource");
        var user = new LinkedHashMap<String, Shape>();
        user.put("username", Shape.Scalar.STRING);
        user.put("uid", Shape.Scalar.STRING);
        user.put("groups", TEXTS);
        user.put("extra", new Shape.MapOf(TEXTS));
        var request = new LinkedHashMap<String, Shape>();
        request.put("kind", kind);
        request.put("resource", resource);
        request.put("subResource", Shape.Scalar.STRING);
        request.put("requestKind", kind);
        request.put("requestResource", resource);
        request.put("requestSubResource", Shape.Scalar.STRING);
        request.put("name", Shape.Scalar.STRING);
        request.put("namespace", Shape.Scalar.STRING);
        request.put("operation", Shape.Scalar.STRING);
        request.put("userInfo", object("kubernetes.UserInfo", user));
        request.put("dryRun", Shape.Scalar.BOOL);
        request.put("options", Shape.Scalar.ANY);
        return object("kubernetes.AdmissionRequest", request);
    }

    private static Shape namespace() {
        var metadata = new LinkedHashMap<String, Shape>();
        for (var text : List.of("name", "generateName", "namespace", "UID", "resourceVersion")) {
            metadata.put(text, Shape.Scalar.STRING);
        }
        metadata.put("labels", new Shape.MapOf(Shape.Scalar.STRING));
        metadata.put("annotations", new Shape.MapOf(Shape.Scalar.STRING));
        metadata.put("creationTimestamp", Shape.Scalar.TIMESTAMP);
        metadata.put("deletionTimestamp", Shape.Scalar.TIMESTAMP);
        metadata.put("deletionGracePeriodSeconds", Shape.Scalar.INT);
        metadata.put("generation", Shape.Scalar.INT);
        metadata.put("finalizers", TEXTS);
        var condition = new LinkedHashMap<String, Shape>();
        for (var text : List.of("status", "type", "message", "reason")) {
            condition.put(text, Shape.Scalar.STRING);
        }
        condition.put("lastTransitionTime", Shape.Scalar.TIMESTAMP);
        var status = new LinkedHashMap<String, Shape>();
        status.put("conditions", new Shape.ListOf(object("kubernetes.NamespaceCondition", condition)));
        status.put("phase", Shape.Scalar.STRING);
        var namespace = new LinkedHashMap<String, Shape>();
        namespace.put("metadata", object("kubernetes.NamespaceMetadata", metadata));
        namespace.put("spec", object("kubernetes.NamespaceSpec", Map.of("finalizers", TEXTS)));
        namespace.put("status", object("kubernetes.NamespaceStatus", status));
        return object("kubernetes.Namespace", namespace);
    }

    private static Shape texts(String name, String... fields) {
        var shapes = new LinkedHashMap<String, Shape>();
        for (var field : fields) {
            shapes.put(field, Shape.Scalar.STRING);
        }
        return object(name, shapes);
    }

    private static Shape object(String name, Map<String, Shape> shapes) {
        var fields = new LinkedHashMap<String, Shape.Field>();
        shapes.forEach((key, shape) -> fields.put(key, new Shape.Field(key.equals("UID") ? "uid" : key, shape)));
        return new Shape.ObjectOf(name, fields);
    }
}
