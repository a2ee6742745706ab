package dev.towtank.model.kinds;

import dev.towtank.model.Json;
import java.util.List;
import java.util.regex.Pattern;

/// What a pod's spec says where its author said nothing.
public final class PodDefaults {

    private static final long FILE_MODE = 0644;
    private static final int LONGEST_IMAGE = 1024;

    private static final String PATH_PART = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
    private static final Pattern IMAGE = Pattern.compile("(?:[A-Za-z0-9.:\\[\\]-]+/)?" + PATH_PART + "(?:/" + PATH_PART
            + ")*(?::(?<tag>\\w[\\w.-]{0,127}))?(?<digest>@[A-Za-z][A-Za-z0-9+._-]*:[0-9a-fA-F]{32,})?");

    private PodDefaults() {}

    /// For templates and pods.
    static Json.Obj spec(Json.Obj spec) {
        var filled = mirrorServiceAccount(spec);
        filled = Fill.missing(filled, "dnsPolicy", "ClusterFirst");
        filled = Fill.missing(filled, "restartPolicy", "Always");
        filled = Fill.missing(filled, "securityContext", Json.Obj.EMPTY);
        filled = Fill.missing(filled, "terminationGracePeriodSeconds", 30);
        filled = Fill.missing(filled, "schedulerName", "default-scheduler");
        for (var list : List.of("containers", "initContainers", "ephemeralContainers")) {
            filled = Fill.each(filled, list, PodDefaults::container);
        }
        filled = Fill.inside(filled, "overhead", ResourceLists::canonical);
        filled = Fill.inside(filled, "resources", ResourceLists::canonicalRequirements);
        return Fill.each(filled, "volumes", PodDefaults::volume);
    }

    /// What only pods get, not templates: it would otherwise be fixed before admission sees the pod.
    public static Json.Obj podSpec(Json.Obj spec) {
        var filled = spec(spec);
        if (filled.integer("terminationGracePeriodSeconds") < 0) {
            filled = filled.with("terminationGracePeriodSeconds", Json.of(1));
        }
        for (var list : List.of("containers", "initContainers")) {
            filled = Fill.each(filled, list, PodDefaults::requestsFromLimits);
            if (spec.flag("hostNetwork")) {
                filled = Fill.each(filled, list, PodDefaults::hostPorts);
            }
        }
        return Fill.missing(filled, "enableServiceLinks", true);
    }

    /// `Always` for images without a tag or with the tag `latest`, which change under their name.
    static String pullPolicy(String image) {
        if (image.length() > LONGEST_IMAGE) {
            return "IfNotPresent";
        }
        var matcher = IMAGE.matcher(image);
        if (!matcher.matches()) {
            return "IfNotPresent";
        }
        var tag = matcher.group("tag");
        var latest = tag == null ? matcher.group("digest") == null : tag.equals("latest");
        return latest ? "Always" : "IfNotPresent";
    }

    private static Json.Obj mirrorServiceAccount(Json.Obj spec) {
        var name = spec.string("serviceAccountName").isEmpty()
                ? spec.string("serviceAccount")
                : spec.string("serviceAccountName");
        return name.isEmpty()
                ? spec
                : spec.with("serviceAccountName", Json.of(name)).with("serviceAccount", Json.of(name));
    }

    private static Json.Obj container(Json.Obj container) {
        var filled = Fill.missing(container, "imagePullPolicy", pullPolicy(container.string("image")));
        filled = Fill.missing(filled, "terminationMessagePath", "/dev/termination-log");
        filled = Fill.missing(filled, "terminationMessagePolicy", "File");
        filled = Fill.missing(filled, "resources", Json.Obj.EMPTY);
        filled = Fill.inside(filled, "resources", ResourceLists::canonicalRequirements);
        filled = Fill.each(filled, "ports", port -> Fill.missing(port, "protocol", "TCP"));
        filled = Fill.each(filled, "env", variable -> Fill.inside(variable, "valueFrom", PodDefaults::reference));
        for (var probe : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
            filled = Fill.inside(filled, probe, PodDefaults::probe);
        }
        return Fill.inside(filled, "lifecycle", lifecycle -> {
            var hooks = Fill.inside(lifecycle, "postStart", PodDefaults::handler);
            return Fill.inside(hooks, "preStop", PodDefaults::handler);
        });
    }

    private static Json.Obj probe(Json.Obj probe) {
        var filled = Fill.zero(handler(probe), "timeoutSeconds", 1);
        filled = Fill.zero(filled, "periodSeconds", 10);
        filled = Fill.zero(filled, "successThreshold", 1);
        return Fill.zero(filled, "failureThreshold", 3);
    }

    private static Json.Obj handler(Json.Obj handler) {
        var filled = Fill.inside(
                handler, "httpGet", http -> Fill.missing(Fill.missing(http, "path", "/"), "scheme", "HTTP"));
        return Fill.inside(
                filled, "grpc", grpc -> grpc.has("service") ? grpc : Fill.missing(grpc, "service", Json.of("")));
    }

    // Of an environment variable, or of a file in a downward API volume.
    private static Json.Obj reference(Json.Obj source) {
        var filled = Fill.inside(source, "fieldRef", field -> Fill.missing(field, "apiVersion", "v1"));
        return Fill.inside(
                filled,
                "resourceFieldRef",
                field -> ResourceLists.canonicalField(Fill.missing(field, "divisor", "0"), "divisor"));
    }

    private static Json.Obj requestsFromLimits(Json.Obj container) {
        var limits = container.object("resources", "limits");
        if (limits.size() == 0) {
            return container;
        }
        var requests = container.object("resources", "requests");
        for (var limit : limits) {
            requests = Fill.missing(requests, limit.getKey(), limit.getValue());
        }
        return container.with(List.of("resources", "requests"), requests);
    }

    private static Json.Obj hostPorts(Json.Obj container) {
        return Fill.each(container, "ports", port -> Fill.zero(port, "hostPort", port.integer("containerPort")));
    }

    private static Json.Obj volume(Json.Obj volume) {
        var filled = Volumes.hasSource(volume) ? volume : volume.with("emptyDir", Json.Obj.EMPTY);
        for (var source : List.of("secret", "configMap", "downwardAPI", "projected")) {
            filled = Fill.inside(filled, source, files -> Fill.missing(files, "defaultMode", FILE_MODE));
        }
        filled = Fill.inside(filled, "downwardAPI", files -> Fill.each(files, "items", PodDefaults::reference));
        filled = Fill.inside(filled, "projected", files -> Fill.each(files, "sources", PodDefaults::projection));
        filled = Fill.inside(filled, "emptyDir", source -> ResourceLists.canonicalField(source, "sizeLimit"));
        filled = Fill.inside(filled, "hostPath", path -> path.has("type") ? path : path.with("type", Json.of("")));
        filled = Fill.inside(
                filled, "image", image -> Fill.missing(image, "pullPolicy", pullPolicy(image.string("reference"))));
        return Fill.inside(
                filled,
                "ephemeral",
                source -> Fill.inside(
                        source,
                        "volumeClaimTemplate",
                        template -> Fill.inside(template, "spec", VolumeClaims::defaults)));
    }

    private static Json.Obj projection(Json.Obj source) {
        var filled =
                Fill.inside(source, "serviceAccountToken", token -> Fill.missing(token, "expirationSeconds", 3600));
        return Fill.inside(filled, "downwardAPI", files -> Fill.each(files, "items", PodDefaults::reference));
    }
}
