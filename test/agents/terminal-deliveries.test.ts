// Messages that are typed into the terminal of Claude Code, while processes are killed.
import { killedDeliveries } from "./killed-deliveries.ts";

killedDeliveries(["terminal"]);
