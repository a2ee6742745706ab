package dev.towtank.apiserver;

import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.Optional;

/// What the API says to a request that it carried out. Refusals are thrown as [dev.towtank.model.StatusError].
public sealed interface Answer {

    /// Advice for the person at the client, sent as `Warning:` headers.
    List<String> warnings();

    /// One object.
    ///
    /// @param code 200, 201 when created, 202 when accepted for later deletion
    /// @param kind of the object, for its table; empty where it has none (Status, TokenRequest)
    record One(int code, Optional<Kind<?>> kind, Content object, List<String> warnings) implements Answer {
        public One {
            warnings = List.copyOf(warnings);
        }
    }

    /// A list, or one page of it.
    ///
    /// @param continueToken empty on the last page
    record Many(
            Kind<?> kind,
            long revision,
            List<? extends Content> items,
            String continueToken,
            Optional<Long> remaining,
            List<String> warnings)
            implements Answer {
        public Many {
            items = List.copyOf(items);
            warnings = List.copyOf(warnings);
        }
    }

    /// A pod that the caller may connect to; how is a matter of the transport.
    record Connected(Resource pod, List<String> warnings) implements Answer {
        public Connected {
            warnings = List.copyOf(warnings);
        }
    }

    /// A pod that a request of the caller is passed on to.
    record Proxied(Resource pod, int port, List<String> warnings) implements Answer {
        public Proxied {
            warnings = List.copyOf(warnings);
        }
    }

    /// A watch; whoever takes it closes it.
    record Watching(Kind<?> kind, WatchStream stream, List<String> warnings) implements Answer {
        public Watching {
            warnings = List.copyOf(warnings);
        }
    }
}
