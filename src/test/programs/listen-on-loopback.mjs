// Loaded before a program that listens on all addresses: lets it listen on loopback, and prints the port.
import net from "node:net";

const { listen } = net.Server.prototype;
net.Server.prototype.listen = function listenOnLoopback(_port, ...rest) {
  this.once("listening", () => process.stderr.write(`${this.address().port}\n`));
  return listen.call(this, { port: Number(process.env.PORT), host: "127.0.0.1" }, ...rest);
};
