package dev.towtank.model.helm;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What a chart is rendered as: its name, where it goes, and whether it is new there.
public record Release(String name, String namespace, boolean isUpgrade, int revision) {
    private static final int LONGEST_NAME = 53;

    public Release {
        if (name.length() > LONGEST_NAME
                || !name.matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")) {
            throw new HelmError("release name \"" + name + "\" is invalid: it must be at most " + LONGEST_NAME
                    + " lower case letters, digits, '-' and '.'");
        }
    }

    public static Release install(String name, String namespace) {
        return new Release(name, namespace, false, 1);
    }

    Map<String, @Nullable Object> values() {
        var values = new TreeMap<String, @Nullable Object>();
        values.put("Name", name);
        values.put("Namespace", namespace);
        values.put("IsUpgrade", isUpgrade);
        values.put("IsInstall", !isUpgrade);
        values.put("Revision", (long) revision);
        values.put("Service", "Helm");
        return values;
    }
}
