package dev.towtank.model.kinds;

import dev.towtank.model.Names;
import dev.towtank.model.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// References from a pod to its own fields and resources.
final class DownwardApi {

    static final List<String> ENVIRONMENT_FIELDS = List.of(
            "metadata.name",
            "metadata.namespace",
            "metadata.uid",
            "spec.nodeName",
            "spec.serviceAccountName",
            "status.hostIP",
            "status.hostIPs",
            "status.podIP",
            "status.podIPs");

    private static final List<String> VOLUME_FIELDS =
            List.of("metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid");

    private static final List<String> KNOWN_FIELDS = List.of(
            "metadata.annotations",
            "metadata.labels",
            "metadata.name",
            "metadata.namespace",
            "metadata.uid",
            "spec.nodeName",
            "spec.restartPolicy",
            "spec.serviceAccountName",
            "spec.schedulerName",
            "status.phase",
            "status.hostIP",
            "status.hostIPs",
            "status.podIP",
            "status.podIPs",
            "spec.host");

    private static final List<String> RESOURCES = List.of(
            "limits.cpu",
            "limits.ephemeral-storage",
            "limits.memory",
            "requests.cpu",
            "requests.ephemeral-storage",
            "requests.memory");

    private static final List<String> BYTE_DIVISORS =
            List.of("1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei");

    private static final Pattern SUBSCRIPT = Pattern.compile("([^\\[]*)\\['([^']*)'\\]");

    private DownwardApi() {}

    /// A file of a downward API volume; projected volumes report their files without an index.
    static void validateFile(Field item, Path path) {
        var file = item.reportedAt(path);
        FilePaths.relativeAndNotReserved(file.at("path").required(""));
        if (file.has("fieldRef")) {
            validateField(file.at("fieldRef"), VOLUME_FIELDS);
            if (file.has("resourceFieldRef")) {
                file.errors()
                        .invalid(path, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
            }
        } else if (file.has("resourceFieldRef")) {
            validateResource(file.at("resourceFieldRef"), true);
        } else {
            file.errors().required(path, "one of fieldRef and resourceFieldRef is required");
        }
        FilePaths.mode(file.at("mode"));
    }

    static void validateField(Field reference, List<String> supported) {
        if (reference.at("apiVersion").required("").isEmpty()
                || reference.at("fieldPath").required("").isEmpty()) {
            return;
        }
        var field = reference.at("fieldPath");
        var problem = conversionProblem(reference.at("apiVersion").text(), field.text());
        if (problem.isPresent()) {
            field.invalid("error converting fieldPath: " + problem.get());
            return;
        }
        Matcher subscript = SUBSCRIPT.matcher(field.text());
        if (subscript.matches()) {
            var key = subscript.group(2);
            var checked = subscript.group(1).equals("metadata.annotations") ? key.toLowerCase(Locale.ROOT) : key;
            Names.qualifiedName(checked).forEach(words -> reference.errors().invalid(reference.path(), checked, words));
        } else if (!supported.contains(field.text().equals("spec.host") ? "spec.nodeName" : field.text())) {
            reference.errors().notSupported(field.path(), field.shown(), supported);
        }
    }

    static void validateResource(Field reference, boolean inVolume) {
        var resource = reference.at("resource");
        var name = resource.text();
        if (inVolume && reference.at("containerName").isEmpty()) {
            reference.at("containerName").required("");
        } else if (resource.required("").isEmpty()) {
            return;
        } else if (!RESOURCES.contains(name)
                && !name.startsWith("requests.hugepages-")
                && !name.startsWith("limits.hugepages-")) {
            reference.errors().notSupported(resource.path(), resource.shown(), RESOURCES);
        }
        validateDivisor(reference, name);
    }

    private static void validateDivisor(Field reference, String resource) {
        var divisor = reference.at("divisor");
        if (!divisor.isPresent() || ResourceLists.isZero(divisor.value())) {
            return;
        }
        var text = ResourceLists.canonical(divisor.value());
        if (resource.endsWith(".cpu")) {
            if (!text.equals("1") && !text.equals("1m")) {
                reference
                        .errors()
                        .invalid(
                                divisor.path(),
                                resource,
                                "only divisor's values 1m and 1 are supported with the cpu resource");
            }
            return;
        }
        var kind = resource.endsWith(".memory")
                ? "memory"
                : resource.endsWith(".ephemeral-storage") ? "local ephemeral storage" : "hugepages";
        if (!BYTE_DIVISORS.contains(text)) {
            reference
                    .errors()
                    .invalid(
                            divisor.path(),
                            resource,
                            "only divisor's values " + String.join(", ", BYTE_DIVISORS) + " are supported with the "
                                    + kind + " resource");
        }
    }

    private static Optional<String> conversionProblem(String version, String field) {
        if (!version.equals("v1")) {
            return Optional.of("unsupported pod version: " + version);
        }
        Matcher subscript = SUBSCRIPT.matcher(field);
        if (subscript.matches()) {
            return List.of("metadata.annotations", "metadata.labels").contains(subscript.group(1))
                    ? Optional.empty()
                    : Optional.of("field label does not support subscript: " + field);
        }
        return KNOWN_FIELDS.contains(field) ? Optional.empty() : Optional.of("field label not supported: " + field);
    }
}
