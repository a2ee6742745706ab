package dev.towtank.model;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// How one record class is read and written; made once per class.
///
/// Who asks for an annotation of a kind for the first time has a class made for it, and holds a monitor meanwhile. A
/// virtual thread may be set aside there; and when the initialization of another class needs the same monitor, those
/// who
/// wait for that class hold all carriers, and nobody ever goes on. So these classes are made here, before anybody else
/// can ask.
final class RecordCodec {

    private record Annotated(
            @Records.Field("value") @Records.Micro Instant value) {}

    static {
        Objects.requireNonNull(Annotated.class.getRecordComponents()[0].getAnnotation(Records.Field.class));
    }

    private static final ClassValue<RecordCodec> CODECS = new ClassValue<>() {
        @Override
        protected RecordCodec computeValue(Class<?> type) {
            return new RecordCodec(type);
        }
    };

    private record Part(String name, ValueCodec codec, MethodHandle accessor) {}

    /// A method handle is quicker to call than a constructor, but takes a millisecond to make: too long for what is
    /// read
    /// a few times, as most records are in a process that ends soon.
    private static final int WORTH_A_HANDLE = 100;

    private final Class<?> type;
    private final List<Part> parts;
    private final Constructor<?> constructor;
    // Null until it is worth while. It does not matter who makes it, nor whether two do.
    private volatile @Nullable MethodHandle handle;
    private int made;

    static RecordCodec of(Class<?> type) {
        return CODECS.get(type);
    }

    private RecordCodec(Class<?> type) {
        if (!type.isRecord()) {
            throw new IllegalArgumentException(type.getName() + " is not a record");
        }
        if (type.getTypeParameters().length > 0) {
            throw new IllegalArgumentException(type.getName() + " has type parameters, which cannot be read");
        }
        this.type = type;
        try {
            var lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
            var components = type.getRecordComponents();
            var types = Arrays.stream(components).map(RecordComponent::getType).<Class<?>>toArray(Class<?>[]::new);
            this.parts = parts(lookup, components);
            this.constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("cannot look into " + type.getName(), e);
        }
    }

    private static List<Part> parts(MethodHandles.Lookup lookup, RecordComponent[] components)
            throws IllegalAccessException {
        var found = new ArrayList<Part>();
        for (var component : components) {
            var renamed = component.getAnnotation(Records.Field.class);
            found.add(new Part(
                    renamed == null ? component.getName() : renamed.value(),
                    ValueCodec.of(component),
                    lookup.unreflect(component.getAccessor())
                            .asType(MethodType.methodType(Object.class, Object.class))));
        }
        return List.copyOf(found);
    }

    Object read(Json json) {
        if (!(json instanceof Json.Obj object)) {
            throw Records.Mismatch.expected("an object", json);
        }
        var arguments = new Object[parts.size()];
        for (int i = 0; i < arguments.length; i++) {
            var part = parts.get(i);
            var field = object.get(part.name);
            try {
                arguments[i] = field == null || field instanceof Json.Null ? part.codec.zero() : part.codec.read(field);
            } catch (Records.Mismatch e) {
                throw e.under(part.name);
            }
        }
        return construct(arguments);
    }

    private Object construct(Object[] arguments) {
        var quick = handle;
        try {
            if (quick != null) {
                return (Object) quick.invokeExact(arguments);
            }
            if (++made == WORTH_A_HANDLE) { // about so many: threads may miss a count
                handle = MethodHandles.lookup()
                        .unreflectConstructor(constructor)
                        .asSpreader(Object[].class, arguments.length)
                        .asType(MethodType.methodType(Object.class, Object[].class));
            }
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            throw unexpected(e.getTargetException());
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private RuntimeException unexpected(Throwable e) {
        switch (e) {
            case RuntimeException problem -> throw problem;
            case Error problem -> throw problem;
            default -> throw new IllegalStateException("the constructor of " + type.getName() + " failed", e);
        }
    }

    Json.Obj write(Object value) {
        var builder = Json.Obj.builder();
        for (var part : parts) {
            var component = component(part, value);
            if (!part.codec.isZero(component)) {
                builder.put(part.name, part.codec.write(component));
            }
        }
        return builder.build();
    }

    private Object component(Part part, Object value) {
        try {
            return (Object) part.accessor.invokeExact(value);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("cannot read " + part.name + " of " + type.getName(), e);
        }
    }
}
