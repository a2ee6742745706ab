package dev.towtank.cluster;

import dev.towtank.model.Json;
import java.io.IOException;

/// Something to do outside of the cluster, as data: a bucket to make, a message to send. A record, so that equal
/// decisions
/// are equal; who does it is said where the controller is made ([Controller#doing]).
public interface Deed {

    /// For logs and scenarios, without secrets.
    Json.Obj json();

    /// Does deeds of one type.
    @FunctionalInterface
    interface Doer<D extends Deed> {

        /// What came of it, for the [Sequel].
        ///
        /// @throws IOException the world did not let it: the object is looked at again, later each time
        Json done(D deed) throws IOException, InterruptedException;
    }

    /// What to do when it is done. A value, so that two equal decisions are equal.
    @FunctionalInterface
    interface Sequel {

        Sequel NONE = _ -> Plan.NONE;

        Plan after(Json result);
    }
}
