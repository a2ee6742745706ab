package dev.towtank.model.template;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/// A Go slice of something else than `interface {}`, such as `[]string`.
public final class TypedList extends AbstractList<@Nullable Object> implements RandomAccess {
    private final String element;
    private final List<@Nullable Object> items;

    public TypedList(String element, List<?> items) {
        this.element = element;
        this.items = Collections.unmodifiableList(new ArrayList<@Nullable Object>(items));
    }

    public static TypedList strings(List<String> items) {
        return new TypedList("string", items);
    }

    public String element() {
        return element;
    }

    @Override
    public @Nullable Object get(int index) {
        return items.get(index);
    }

    @Override
    public int size() {
        return items.size();
    }
}
