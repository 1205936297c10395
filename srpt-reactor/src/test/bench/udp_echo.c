/*
 * Sends every datagram back, one call for each way: what a management datagram costs at the least without batches.
 * Usage: udp_echo ADDRESS PORT
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

int main(int count, char **arguments)
{
    struct sockaddr_in address = {.sin_family = AF_INET}, peer;
    char datagram[2048];
    int socket_fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (count != 3 || inet_pton(AF_INET, arguments[1], &address.sin_addr) != 1) {
        fprintf(stderr, "usage: udp_echo ADDRESS PORT\n");
        return 2;
    }
    address.sin_port = htons((uint16_t)atoi(arguments[2]));
    if (bind(socket_fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
        perror("bind");
        return 1;
    }
    puts("ready");
    fflush(stdout);
    for (;;) {
        socklen_t peer_length = sizeof(peer);
        ssize_t length = recvfrom(socket_fd, datagram, sizeof(datagram), 0, (struct sockaddr *)&peer, &peer_length);
        if (length > 0) {
            sendto(socket_fd, datagram, (size_t)length, 0, (struct sockaddr *)&peer, peer_length);
        }
    }
}
