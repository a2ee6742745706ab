/// What `get`, `describe`, `logs` and `cancel` do, against any server that a kubeconfig leads to.
///
/// [Connection] is the kubeconfig, [ApiClient] the requests, [Discovery] which words mean which kinds. On
/// these stand the commands, each a class that prints: [GetView], [Describe], [RunLogs], [RunCancel].
@NullMarked
package dev.towtank.app.client;

import org.jspecify.annotations.NullMarked;
