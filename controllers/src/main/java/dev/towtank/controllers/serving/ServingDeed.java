package dev.towtank.controllers.serving;

import dev.towtank.cluster.Deed;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.serving.api.Routes;
import dev.towtank.model.Json;

/// What is done in the front.
sealed interface ServingDeed extends Deed {

    /// Begins to listen for an InferenceService; the result is the port.
    record Open(ObjectName service) implements ServingDeed {
        @Override
        public Json.Obj json() {
            return Json.Obj.of("open", Json.of(service.toString()));
        }
    }

    /// Leads requests elsewhere from now on.
    record Lead(ObjectName service, Routes routes) implements ServingDeed {
        @Override
        public Json.Obj json() {
            return Json.Obj.of("lead", Json.of(service.toString()), "to", routes.json());
        }
    }

    /// Finds a port on which a pod can listen; the result is its number.
    record FindPort(String pod) implements ServingDeed {
        @Override
        public Json.Obj json() {
            return Json.Obj.of("findPort", Json.of(pod));
        }
    }

    /// Asks one pod for predictions; the result is the predictions, or a text that says why there are none.
    record Try(Routes.Target target, String model, Json.Arr instances) implements ServingDeed {
        @Override
        public Json.Obj json() {
            return Json.Obj.of("try", Json.of(target.pod()), "model", Json.of(model));
        }
    }
}
