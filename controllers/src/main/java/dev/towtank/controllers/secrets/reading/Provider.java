package dev.towtank.controllers.secrets.reading;

import dev.towtank.model.Json;
import java.util.NavigableMap;

/// Reads what a store leads to. Every method throws a [ReadProblem] where it cannot.
public interface Provider {

    byte[] value(RemoteRef ref);

    NavigableMap<String, byte[]> values(RemoteRef ref);

    /// The secrets that `find` describes, each as one value.
    NavigableMap<String, byte[]> find(Json.Obj find);
}
