package dev.towtank.model.kinds;

import dev.towtank.model.Names;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/// `env` and `envFrom` of a container.
final class EnvironmentVariables {

    private static final Map<String, Consumer<Field>> SOURCES = sources();

    private EnvironmentVariables() {}

    static void validate(Field container) {
        container.at("env").each(EnvironmentVariables::validateVariable);
        var envFrom = container.at("envFrom");
        envFrom.each(source -> validateBulk(envFrom, source));
    }

    private static void validateVariable(Field variable) {
        variable.at("name").required("").matchesIfSet(Names::environmentVariable);
        var valueFrom = variable.at("valueFrom");
        if (!valueFrom.isPresent()) {
            return;
        }
        var sources = SOURCES.keySet().stream().filter(valueFrom::has).toList();
        for (var source : sources) {
            SOURCES.getOrDefault(source, _ -> {}).accept(valueFrom.at(source));
        }
        if (sources.isEmpty()) {
            refuse(
                    valueFrom,
                    "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or"
                            + " `fileKeyRef`");
        } else if (!variable.at("value").isEmpty()) {
            refuse(valueFrom, "may not be specified when `value` is not empty");
        } else if (sources.size() > 1) {
            refuse(valueFrom, "may not have more than one field specified at a time");
        }
    }

    private static Map<String, Consumer<Field>> sources() {
        var sources = new LinkedHashMap<String, Consumer<Field>>();
        sources.put("fieldRef", field -> DownwardApi.validateField(field, DownwardApi.ENVIRONMENT_FIELDS));
        sources.put("resourceFieldRef", field -> DownwardApi.validateResource(field, false));
        sources.put("configMapKeyRef", EnvironmentVariables::validateKey);
        sources.put("secretKeyRef", EnvironmentVariables::validateKey);
        sources.put("fileKeyRef", EnvironmentVariables::validateFileKey);
        return sources;
    }

    private static void validateKey(Field reference) {
        reference.at("name").matches(Names::dnsSubdomain);
        reference.at("key").required("").matchesIfSet(Names::configKey);
    }

    private static void validateFileKey(Field reference) {
        reference.at("key").required("").matchesIfSet(Names::environmentVariable);
        reference.at("volumeName").required("").matchesIfSet(Names::dnsLabel);
        FilePaths.withoutBacksteps(reference.at("path").required(""));
    }

    private static void validateBulk(Field all, Field source) {
        source.at("prefix").matchesIfSet(Names::environmentVariable);
        int found = 0;
        for (var kind : new String[] {"configMapRef", "secretRef"}) {
            if (source.has(kind)) {
                found++;
                source.at(kind, "name").required("").matchesIfSet(name -> Names.Rule.DNS_SUBDOMAIN.check(name, true));
            }
        }
        if (found == 0) {
            refuse(all, "must specify one of: `configMapRef` or `secretRef`");
        } else if (found > 1) {
            refuse(all, "may not have more than one field specified at a time");
        }
    }

    // Upstream shows an empty text here instead of the object.
    private static void refuse(Field field, String detail) {
        field.errors().invalid(field.path(), "", detail);
    }
}
