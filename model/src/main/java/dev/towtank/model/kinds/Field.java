package dev.towtank.model.kinds;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A place in an object under validation: what stands there, where that is, and who collects what is wrong with it.
///
/// Checks return the field itself, so that rules read as one line: `spec.at("port").required("").port()`. As in
/// Kubernetes an absent field reads as the zero value of its type, and it is that zero which a message shows.
public record Field(@Nullable Json value, Path path, FieldError.Collector errors) {

    public static Field root(Json.Obj object, FieldError.Collector errors) {
        return new Field(object, Path.ROOT, errors);
    }

    public Field at(String name) {
        var found = value instanceof Json.Obj object ? object.get(name) : null;
        return new Field(found instanceof Json.Null ? null : found, path.child(name), errors);
    }

    public Field at(String first, String... more) {
        var field = at(first);
        for (var name : more) {
            field = field.at(name);
        }
        return field;
    }

    /// Another value, reported at this path: entries of label maps have no path of their own.
    public Field with(Json other) {
        return new Field(other, path, errors);
    }

    /// This value, reported under another path.
    public Field reportedAt(Path elsewhere) {
        return new Field(value, elsewhere, errors);
    }

    /// This value, with its errors collected elsewhere.
    public Field reportedTo(FieldError.Collector collector) {
        return new Field(value, path, collector);
    }

    public List<Field> items() {
        var found = new ArrayList<Field>();
        if (value instanceof Json.Arr array) {
            for (int i = 0; i < array.size(); i++) {
                found.add(new Field(array.get(i), path.index(i), errors));
            }
        }
        return found;
    }

    public void each(Consumer<Field> rule) {
        items().forEach(rule);
    }

    /// Every entry of a map, at `path[key]`.
    public void eachEntry(BiConsumer<String, Field> rule) {
        object().forEach((key, entry) -> rule.accept(key, new Field(entry, path.key(key), errors)));
    }

    public boolean isPresent() {
        return value != null && !(value instanceof Json.Null);
    }

    /// Absent, or the zero value of its type.
    public boolean isEmpty() {
        return value == null || value.isEmpty();
    }

    public boolean has(String name) {
        return at(name).isPresent();
    }

    public String text() {
        return value instanceof Json.Str(var text) ? text : "";
    }

    public long number() {
        return value instanceof Json.Int(var number) ? number : 0;
    }

    public boolean flag() {
        return value instanceof Json.Bool(var flag) && flag;
    }

    public Json.Obj object() {
        return value instanceof Json.Obj object ? object : Json.Obj.EMPTY;
    }

    public int size() {
        return switch (value) {
            case Json.Arr array -> array.size();
            case Json.Obj object -> object.size();
            case null, default -> 0;
        };
    }

    /// What a message shows: an absent value is an empty text.
    public Json shown() {
        return value == null ? Json.of("") : value;
    }

    public Field required(String detail) {
        if (isEmpty()) {
            errors.required(path, detail);
        }
        return this;
    }

    public Field invalid(String detail) {
        errors.invalid(path, shown(), detail);
        return this;
    }

    public Field forbidden(String detail) {
        errors.forbidden(path, detail);
        return this;
    }

    /// Refuses a value that is there at all.
    public Field forbiddenIfPresent(String detail) {
        return isPresent() ? forbidden(detail) : this;
    }

    public Field notFound() {
        errors.notFound(path, shown());
        return this;
    }

    public Field tooLong(int bytes) {
        errors.tooLong(path, bytes);
        return this;
    }

    /// Reports each problem that a rule for texts finds.
    public Field matches(Function<String, List<String>> rule) {
        rule.apply(text()).forEach(problem -> errors.invalid(path, text(), problem));
        return this;
    }

    /// As [#matches], for a field that may be left out.
    public Field matchesIfSet(Function<String, List<String>> rule) {
        return isEmpty() ? this : matches(rule);
    }

    /// An absent value counts as an empty text here, and is refused.
    public Field oneOf(String... supported) {
        return oneOf(List.of(supported));
    }

    public Field oneOf(List<String> supported) {
        if (!supported.contains(text())) {
            errors.notSupported(path, Json.of(text()), supported);
        }
        return this;
    }

    public Field oneOfIfPresent(String... supported) {
        return isPresent() ? oneOf(supported) : this;
    }

    /// Required without further words, otherwise one of the values.
    public Field requiredOneOf(String... supported) {
        return isEmpty() ? required("") : oneOf(supported);
    }

    public Field nonNegative() {
        return number() < 0 ? invalidNumber("must be greater than or equal to 0") : this;
    }

    public Field positive() {
        return number() <= 0 ? invalidNumber("must be greater than zero") : this;
    }

    public Field inRange(long low, long high) {
        return number() < low || number() > high
                ? invalidNumber("must be between " + low + " and " + high + ", inclusive")
                : this;
    }

    public Field port() {
        return inRange(1, 65535);
    }

    /// Refuses a text that was seen before among its siblings, and remembers it.
    public Field unique(Set<? super String> seen) {
        if (!seen.add(text())) {
            errors.duplicate(path, Json.of(text()));
        }
        return this;
    }

    /// Refuses any difference from what is stored.
    public Field immutable(@Nullable Json old) {
        return same(value, old) ? this : invalid("field is immutable");
    }

    private Field invalidNumber(String detail) {
        errors.invalid(path, Json.of(number()), detail);
        return this;
    }

    /// Equal as Kubernetes sees it, where absent, null and empty are the same.
    ///
    /// Further in, an empty text is not the same as an absent one: in a map of texts it is an entry.
    public static boolean same(@Nullable Json one, @Nullable Json other) {
        if (one == null || other == null) {
            return (one == null || one.isEmpty()) && (other == null || other.isEmpty());
        }
        if (one instanceof Json.Obj mine && other instanceof Json.Obj theirs) {
            return mine.equals(theirs) || (covers(mine, theirs) && covers(theirs, mine));
        }
        if (one instanceof Json.Arr mine && other instanceof Json.Arr theirs && mine.size() == theirs.size()) {
            for (int i = 0; i < mine.size(); i++) {
                if (!same(mine.get(i), theirs.get(i))) {
                    return false;
                }
            }
            return true;
        }
        return one.equals(other);
    }

    private static boolean covers(Json.Obj one, Json.Obj other) {
        for (int i = 0; i < one.size(); i++) {
            var theirs = other.get(one.key(i));
            if (!same(one.value(i), theirs) || (theirs == null && one.value(i) instanceof Json.Str)) {
                return false;
            }
        }
        return true;
    }
}
