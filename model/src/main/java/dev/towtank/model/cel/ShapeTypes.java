package dev.towtank.model.cel;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The types of the shapes of one expression, as the compiler wants them.
@SuppressWarnings("Immutable") // Filled before the compiler sees it, and left alone from then on.
final class ShapeTypes implements CelTypeProvider {

    private final Map<String, CelType> structs = new HashMap<>();

    CelType of(Shape shape) {
        return switch (shape) {
            case Shape.Scalar scalar -> scalar(scalar);
            case Shape.Handle.AUTHORIZER -> AuthorizerFunctions.AUTHORIZER;
            case Shape.Handle.RESOURCE_CHECK -> AuthorizerFunctions.RESOURCE_CHECK;
            case Shape.ListOf(var element) -> ListType.create(of(element));
            case Shape.MapOf(var value) -> MapType.create(SimpleType.STRING, of(value));
            case Shape.OptionalOf(var value) -> OptionalType.create(of(value));
            case Shape.ObjectOf object -> struct(object);
        };
    }

    private CelType struct(Shape.ObjectOf object) {
        if (!structs.containsKey(object.name())) {
            var fields = new HashMap<String, CelType>();
            structs.put(object.name(), StructTypeReference.create(object.name()));
            object.fields().forEach((name, field) -> fields.put(name, of(field.shape())));
            structs.put(
                    object.name(),
                    StructType.create(
                            object.name(),
                            ImmutableSet.copyOf(fields.keySet()),
                            name -> Optional.ofNullable(fields.get(name))));
        }
        return StructTypeReference.create(object.name());
    }

    /// Adds a field to a type, or changes the one of that name.
    void addField(String struct, String field, CelType type) {
        var fields = new HashMap<String, CelType>();
        if (structs.get(struct) instanceof StructType known) {
            known.fields().forEach(each -> fields.put(each.name(), each.type()));
        }
        fields.put(field, type);
        structs.put(
                struct,
                StructType.create(
                        struct, ImmutableSet.copyOf(fields.keySet()), name -> Optional.ofNullable(fields.get(name))));
    }

    private static CelType scalar(Shape.Scalar scalar) {
        return switch (scalar) {
            case ANY -> SimpleType.DYN;
            case BOOL -> SimpleType.BOOL;
            case INT -> SimpleType.INT;
            case DOUBLE -> SimpleType.DOUBLE;
            case STRING -> SimpleType.STRING;
            case BYTES -> SimpleType.BYTES;
            case TIMESTAMP -> SimpleType.TIMESTAMP;
            case DURATION -> SimpleType.DURATION;
        };
    }

    @Override
    public ImmutableCollection<CelType> types() {
        return ImmutableList.copyOf(structs.values());
    }

    @Override
    public Optional<CelType> findType(String name) {
        return Optional.ofNullable(structs.get(name));
    }
}
