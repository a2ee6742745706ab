package dev.towtank.model.kinds.core;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Path;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import dev.towtank.model.kinds.ResourceLists;
import dev.towtank.model.kinds.VolumeClaims;
import java.util.List;

/// PersistentVolumeClaims: storage asked for by size and class.
public final class PersistentVolumeClaims {

    public static final Kind<Json.Obj> KIND = Kind.namespaced(
                    "", "v1", "PersistentVolumeClaim", "persistentvolumeclaims")
            .withShortNames("pvc")
            .withStatus()
            .withRules(new ClaimRules())
            .withColumns(
                    Column.ofName(),
                    Column.text("Status", (object, _) -> Json.of(AccessModes.phase(object))),
                    Column.path("Volume", "spec", "volumeName"),
                    Column.text("Capacity", (object, _) -> Json.of(capacity(object))),
                    Column.text("Access Modes", (object, _) -> Json.of(accessModes(object))),
                    Column.text("StorageClass", (object, _) -> Json.of(AccessModes.storageClass(object))),
                    Column.text(
                            "VolumeAttributesClass",
                            (object, _) -> Json.of(AccessModes.orUnset(object, "volumeAttributesClassName"))),
                    Column.ofAge(),
                    Column.text("VolumeMode", (object, _) -> Json.of(AccessModes.orUnset(object, "volumeMode")))
                            .wide());

    private PersistentVolumeClaims() {}

    private static String capacity(Json.Obj object) {
        if (object.string("spec", "volumeName").isEmpty()) {
            return "";
        }
        var capacity = object.at("status", "capacity", "storage");
        return capacity == null ? "0" : capacity.display();
    }

    private static String accessModes(Json.Obj object) {
        return object.string("spec", "volumeName").isEmpty()
                ? ""
                : AccessModes.shortened(object.array("status", "accessModes"));
    }

    private static final class ClaimRules implements Rules {

        @Override
        public Json.Obj defaults(Json.Obj object) {
            var filled = Fill.inside(object, "spec", VolumeClaims::defaults);
            return filled.with("status", Fill.missing(filled.object("status"), "phase", "Pending"));
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            VolumeClaims.validateSpec(Field.root(object, errors).at("spec"));
        }

        @Override
        public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            var spec = object.object("spec");
            var oldSpec = old.object("spec");
            if (!Field.same(
                    withoutWhatMayChange(spec, oldSpec, object), withoutWhatMayChange(oldSpec, oldSpec, object))) {
                errors.forbidden(
                        Path.of("spec"),
                        "spec is immutable after creation except resources.requests and volumeAttributesClassName for"
                                + " bound claims");
            }
            refuseShrinking(object, old, errors);
            new Field(spec.get("volumeMode"), Path.of("volumeMode"), errors).immutable(oldSpec.get("volumeMode"));
        }

        @Override
        public boolean returnsDeletedObject() {
            return true;
        }
    }

    // The binder sets the volume once, the default class may come later, and only bound claims grow.
    private static Json.Obj withoutWhatMayChange(Json.Obj spec, Json.Obj oldSpec, Json.Obj claim) {
        var fixed = spec;
        if (oldSpec.string("volumeName").isEmpty()) {
            fixed = fixed.without("volumeName");
        }
        if (!oldSpec.has("storageClassName")) {
            fixed = fixed.without("storageClassName");
        }
        if (claim.string("status", "phase").equals("Bound")) {
            fixed = fixed.without(List.of("resources", "requests", "storage")).without("volumeAttributesClassName");
        }
        return fixed;
    }

    private static void refuseShrinking(Json.Obj claim, Json.Obj old, FieldError.Collector errors) {
        var size = ResourceLists.quantity(claim.at("spec", "resources", "requests", "storage"));
        var oldSize = ResourceLists.quantity(old.at("spec", "resources", "requests", "storage"));
        if (size.isEmpty() || oldSize.isEmpty() || size.get().compareTo(oldSize.get()) >= 0) {
            return;
        }
        // A failed expansion may be taken back, down to what the volume really has.
        var actual = ResourceLists.quantity(old.at("status", "capacity", "storage"));
        if (actual.isPresent() && size.get().compareTo(actual.get()) <= 0) {
            errors.forbidden(
                    Path.of("spec", "resources", "requests", "storage"), "field can not be less than status.capacity");
        }
    }
}
