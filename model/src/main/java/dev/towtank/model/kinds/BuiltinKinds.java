package dev.towtank.model.kinds;

import dev.towtank.model.Kind;
import dev.towtank.model.kinds.core.CoreKinds;
import java.util.List;
import java.util.stream.Stream;

/// All kinds that are there without anybody defining them, in the order in which Kubernetes lists their groups.
public final class BuiltinKinds {

    public static final List<Kind<?>> ALL =
            Stream.concat(CoreKinds.ALL.stream(), RestKinds.ALL.stream()).toList();

    private BuiltinKinds() {}
}
