package dev.towtank.model.kinds;

import dev.towtank.model.Json;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Where a container sees the volumes of its pod: as directories, or as block devices.
final class VolumeMounts {

    private VolumeMounts() {}

    static void validate(Field container, Map<String, Json.Obj> volumes) {
        var mounts = container.at("volumeMounts");
        var devices = container.at("volumeDevices");
        validateMounts(container, mounts, volumes, pathsByName(devices, "devicePath"));
        validateDevices(devices, volumes, pathsByName(mounts, "mountPath"));
    }

    private static Map<String, String> pathsByName(Field list, String path) {
        var found = new HashMap<String, String>();
        list.each(item -> found.put(item.at("name").text(), item.at(path).text()));
        return found;
    }

    private static void validateMounts(
            Field container, Field mounts, Map<String, Json.Obj> volumes, Map<String, String> devices) {
        var taken = new HashSet<String>();
        for (var mount : mounts.items()) {
            var name = mount.at("name").required("");
            if (!volumes.containsKey(name.text())) {
                name.notFound();
            }
            var path = mount.at("mountPath").required("");
            FilePaths.withoutBacksteps(path);
            if (!taken.add(path.text())) {
                path.invalid("must be unique");
            }
            if (devices.containsKey(name.text())) {
                name.invalid("must not already exist in volumeDevices");
            }
            if (devices.containsValue(path.text())) {
                path.invalid("must not already exist as a path in volumeDevices");
            }
            validateSubPath(mounts, mount);
            validatePropagation(container, mounts, mount);
            validateRecursiveReadOnly(mounts, mount);
        }
    }

    // Upstream reports these without the index of the mount.
    private static void validateSubPath(Field mounts, Field mount) {
        var subPath = mount.at("subPath");
        var expression = mount.at("subPathExpr");
        FilePaths.relative(subPath.reportedAt(mounts.path().child("subPath")));
        if (!expression.isEmpty() && !subPath.isEmpty()) {
            expression.invalid("subPathExpr and subPath are mutually exclusive");
        }
        FilePaths.relative(expression.reportedAt(mounts.path().child("subPathExpr")));
    }

    private static void validatePropagation(Field container, Field mounts, Field mount) {
        var propagation = mount.at("mountPropagation")
                .reportedAt(mounts.path().child("mountPropagation"))
                .oneOfIfPresent("Bidirectional", "HostToContainer", "None");
        if (propagation.text().equals("Bidirectional")
                && !container.at("securityContext", "privileged").flag()) {
            propagation.forbidden("Bidirectional mount propagation is available only to privileged containers");
        }
    }

    private static void validateRecursiveReadOnly(Field mounts, Field mount) {
        var recursive = mount.at("recursiveReadOnly")
                .reportedAt(mounts.path().child("recursiveReadOnly"))
                .oneOfIfPresent("Disabled", "Enabled", "IfPossible");
        if (!Set.of("Enabled", "IfPossible").contains(recursive.text())) {
            return;
        }
        if (!mount.at("readOnly").flag()) {
            recursive.forbidden("may only be specified when readOnly is true");
        }
        if (!Set.of("", "None").contains(mount.at("mountPropagation").text())) {
            recursive.forbidden("may only be specified when mountPropagation is None or not specified");
        }
    }

    private static void validateDevices(Field devices, Map<String, Json.Obj> volumes, Map<String, String> mounts) {
        var paths = new HashSet<String>();
        var names = new HashSet<String>();
        for (var device : devices.items()) {
            validateDeviceName(device.at("name").required(""), volumes, names);
            var path = device.at("devicePath").required("");
            FilePaths.printable(path);
            if (paths.contains(path.text())) {
                path.invalid("must be unique");
            }
            if (FilePaths.hasBacksteps(path.text())) {
                path.invalid("can not contain backsteps ('..')");
            } else {
                paths.add(path.text());
            }
            if (mounts.containsKey(device.at("name").text())) {
                device.at("name").invalid("must not already exist in volumeMounts");
            }
            if (mounts.containsValue(path.text())) {
                path.invalid("must not already exist as a path in volumeMounts");
            }
        }
    }

    private static void validateDeviceName(Field name, Map<String, Json.Obj> volumes, Set<String> names) {
        if (!name.isEmpty() && !names.add(name.text())) {
            name.invalid("must be unique");
        }
        var volume = volumes.get(name.text());
        if (volume == null) {
            name.notFound();
        } else if (!volume.has("persistentVolumeClaim") && !volume.has("ephemeral")) {
            name.invalid("can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
        }
    }
}
