/// Who may read what: questions to the API server.
@NullMarked
package dev.towtank.controllers.secrets.source;

import org.jspecify.annotations.NullMarked;
