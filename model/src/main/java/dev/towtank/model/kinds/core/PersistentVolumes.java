package dev.towtank.model.kinds.core;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Names;
import dev.towtank.model.Path;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import dev.towtank.model.kinds.Placement;
import dev.towtank.model.kinds.ResourceLists;
import dev.towtank.model.kinds.VolumeClaims;
import dev.towtank.model.kinds.Volumes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// PersistentVolumes: pieces of storage that claims bind to.
public final class PersistentVolumes {

    private static final Map<String, Consumer<Field>> SOURCES = sources();

    public static final Kind<Json.Obj> KIND = Kind.clusterScoped("", "v1", "PersistentVolume", "persistentvolumes")
            .withShortNames("pv")
            .withStatus()
            .withRules(new VolumeRules())
            .withColumns(
                    Column.ofName(),
                    Column.path("Capacity", "spec", "capacity", "storage"),
                    Column.text(
                            "Access Modes",
                            (object, _) -> Json.of(AccessModes.shortened(object.array("spec", "accessModes")))),
                    Column.path("Reclaim Policy", "spec", "persistentVolumeReclaimPolicy"),
                    Column.text("Status", (object, _) -> Json.of(AccessModes.phase(object))),
                    Column.text("Claim", (object, _) -> Json.of(claim(object))),
                    Column.text("StorageClass", (object, _) -> Json.of(AccessModes.storageClass(object))),
                    Column.text(
                            "VolumeAttributesClass",
                            (object, _) -> Json.of(AccessModes.orUnset(object, "volumeAttributesClassName"))),
                    Column.path("Reason", "status", "reason"),
                    Column.ofAge(),
                    Column.text("VolumeMode", (object, _) -> Json.of(AccessModes.orUnset(object, "volumeMode")))
                            .wide());

    private PersistentVolumes() {}

    private static String claim(Json.Obj volume) {
        var claim = volume.object("spec", "claimRef");
        return claim.size() == 0 ? "" : claim.string("namespace") + "/" + claim.string("name");
    }

    private static Map<String, Consumer<Field>> sources() {
        var sources = new LinkedHashMap<String, Consumer<Field>>();
        sources.put("hostPath", Volumes::hostPath);
        sources.put("gcePersistentDisk", Volumes.requiring("pdName"));
        sources.put("awsElasticBlockStore", Volumes.requiring("volumeID"));
        sources.put("glusterfs", Volumes.requiring("endpoints", "path"));
        sources.put("flocker", _ -> {});
        sources.put("nfs", Volumes::nfs);
        sources.put("rbd", Volumes.requiring("monitors", "image"));
        sources.put("quobyte", Volumes.requiring("registry", "volume"));
        sources.put("cephfs", Volumes.requiring("monitors"));
        sources.put("iscsi", Volumes.requiring("targetPortal", "iqn"));
        sources.put("cinder", Volumes.requiring("volumeID"));
        sources.put("fc", _ -> {});
        sources.put("flexVolume", Volumes.requiring("driver"));
        sources.put("azureFile", Volumes.requiring("secretName", "shareName"));
        sources.put("vsphereVolume", Volumes.requiring("volumePath"));
        sources.put("photonPersistentDisk", Volumes.requiring("pdID"));
        sources.put("portworxVolume", Volumes.requiring("volumeID"));
        sources.put("azureDisk", Volumes.requiring("diskName", "diskURI"));
        sources.put("scaleIO", Volumes.requiring("gateway", "system", "volumeName"));
        sources.put("local", Volumes.requiring("path"));
        sources.put("storageos", Volumes.requiring("volumeName"));
        sources.put("csi", source -> {
            Volumes.csiDriver(source.at("driver"));
            source.at("volumeHandle").required("");
        });
        return sources;
    }

    private static final class VolumeRules implements Rules {

        @Override
        public Json.Obj defaults(Json.Obj object) {
            var spec = Fill.missing(object.object("spec"), "persistentVolumeReclaimPolicy", "Retain");
            spec = Fill.missing(spec, "volumeMode", "Filesystem");
            spec = Fill.inside(spec, "capacity", ResourceLists::canonical);
            spec = Fill.inside(spec, "hostPath", path -> path.has("type") ? path : path.with("type", Json.of("")));
            return object.with("spec", spec).with("status", Fill.missing(object.object("status"), "phase", "Pending"));
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var spec = Field.root(object, errors).at("spec");
            spec.at("accessModes").required("");
            VolumeClaims.validateAccessModes(spec.at("accessModes"));
            validateCapacity(spec.at("capacity"));
            if (!spec.at("persistentVolumeReclaimPolicy").isEmpty()) {
                spec.at("persistentVolumeReclaimPolicy").oneOf("Delete", "Recycle", "Retain");
            }
            if (spec.has("nodeAffinity")) {
                validateAffinity(spec.at("nodeAffinity"));
            }
            Volumes.validateSource(spec, SOURCES);
            if (spec.has("local") && !spec.at("nodeAffinity").has("required")) {
                errors.required(spec.path().child("nodeAffinity"), "Local volume requires node affinity");
            }
            if (spec.at("hostPath", "path").text().matches("/+")
                    && spec.at("persistentVolumeReclaimPolicy").text().equals("Recycle")) {
                spec.at("persistentVolumeReclaimPolicy").forbidden("may not be 'recycle' for a hostPath mount of '/'");
            }
            spec.at("storageClassName").matchesIfSet(Names::dnsSubdomain);
            spec.at("volumeMode").oneOfIfPresent("Block", "Filesystem");
        }

        @Override
        public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            var spec = object.object("spec");
            var oldSpec = old.object("spec");
            if (SOURCES.keySet().stream().anyMatch(source -> !Field.same(spec.get(source), oldSpec.get(source)))) {
                errors.forbidden(
                        Path.of("spec", "persistentvolumesource"),
                        "spec.persistentvolumesource is immutable after creation");
            }
            new Field(spec.get("volumeMode"), Path.of("volumeMode"), errors).immutable(oldSpec.get("volumeMode"));
        }

        @Override
        public boolean returnsDeletedObject() {
            return true;
        }
    }

    private static void validateCapacity(Field capacity) {
        capacity.required("");
        if (!capacity.has("storage") || capacity.size() > 1) {
            capacity.errors().notSupported(capacity.path(), shown(capacity), List.of("storage"));
        }
        capacity.eachEntry((_, amount) -> ResourceLists.validatePositive(amount));
    }

    private static Json shown(Field capacity) {
        return capacity.isPresent() ? capacity.shown() : Json.Null.NULL;
    }

    private static void validateAffinity(Field affinity) {
        if (affinity.has("required")) {
            Placement.validateNodeSelector(affinity.at("required"));
        } else {
            affinity.errors().required(affinity.path().child("required"), "must specify required node constraints");
        }
    }
}
