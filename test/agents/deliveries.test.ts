// Messages to agents that a host drives, by ACP and as a server, while processes are killed.
import { killedDeliveries } from "./killed-deliveries.ts";

killedDeliveries(["acp", "served"]);
