package dev.towtank.cluster.testing;

import dev.towtank.cluster.Selection;
import dev.towtank.model.FieldSelector;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.Resource;

/// Which objects a [Selection] means.
record FakeSelector(Selection selection, LabelSelector labels, FieldSelector fields) {

    FakeSelector(Selection selection) {
        this(selection, LabelSelector.parse(selection.labels()), FieldSelector.parse(selection.fields()));
    }

    boolean matches(Resource resource) {
        return selection.cluster().map(resource.cluster()::equals).orElse(true)
                && selection.namespace().map(resource.namespace()::equals).orElse(true)
                && labels.matches(resource.json())
                && fields.matches(field -> resource.json().string(field.split("\\.")));
    }
}
